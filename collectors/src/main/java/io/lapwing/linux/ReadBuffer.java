package io.lapwing.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Room for what is read of one small file after the other. Read into memory outside of the heap,
 * where the kernel can put it, then taken over at once: byte by byte from there is dear.
 */
public final class ReadBuffer {

  private final ByteBuffer outside;
  private final byte[] bytes;
  private int length;

  /** Of so many bytes; a file that fills it may go on behind it. */
  public ReadBuffer(int capacity) {
    outside = ByteBuffer.allocateDirect(capacity);
    bytes = new byte[capacity];
  }

  /** Takes the beginning of a file. */
  void fill(FileChannel file) throws IOException {
    outside.clear();
    length = Math.max(0, file.read(outside, 0));
    outside.get(0, bytes, 0, length);
  }

  byte[] bytes() {
    return bytes;
  }

  /** How many of the bytes were read last. */
  int length() {
    return length;
  }

  boolean isFull() {
    return length == bytes.length;
  }
}
