package io.lapwing.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A /dev/kmsg with scripted reads, which blocks after the last one. */
final class ScriptedReader implements RecordReader {

  private interface Step {
    void into(ByteBuffer buffer) throws IOException;
  }

  private final BlockingQueue<Step> steps = new LinkedBlockingQueue<>();
  private volatile boolean closed;

  ScriptedReader record(String record) {
    steps.add(buffer -> buffer.put(record.getBytes(StandardCharsets.ISO_8859_1)));
    return this;
  }

  ScriptedReader nvrm(long sequence) {
    return record("4," + sequence + ",1000000,-;NVRM: " + sequence + "\n");
  }

  ScriptedReader other(long sequence) {
    return record("6," + sequence + ",1000000,-;eth0: link up\n");
  }

  ScriptedReader failure(IOException failure) {
    steps.add(
        buffer -> {
          throw failure;
        });
    return this;
  }

  /** The kernel's result after it overwrote the next record. */
  ScriptedReader overwritten() {
    return failure(new IOException("Broken pipe"));
  }

  boolean closed() {
    return closed;
  }

  @Override
  public Got read(ByteBuffer into) throws IOException {
    try {
      steps.take().into(into);
      return Got.BYTES;
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      throw new ClosedByInterruptException();
    }
  }

  @Override
  public void close() {
    closed = true;
  }
}
