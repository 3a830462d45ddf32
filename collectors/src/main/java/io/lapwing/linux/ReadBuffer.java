package io.lapwing.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * A buffer for small files. Reads go to memory outside the heap, where the kernel can write
 * directly, and are copied at once: single-byte access there is slow.
 */
public final class ReadBuffer {

  private final ByteBuffer outside;
  private final byte[] bytes;
  private int length;

  /** A file that fills the capacity may be longer. */
  public ReadBuffer(int capacity) {
    outside = ByteBuffer.allocateDirect(capacity);
    bytes = new byte[capacity];
  }

  /** Reads the start of a file. */
  void fill(FileChannel file) throws IOException {
    outside.clear();
    length = Math.max(0, file.read(outside, 0));
    outside.get(0, bytes, 0, length);
  }

  byte[] bytes() {
    return bytes;
  }

  /** Bytes of the last read. */
  int length() {
    return length;
  }

  boolean isFull() {
    return length == bytes.length;
  }
}
