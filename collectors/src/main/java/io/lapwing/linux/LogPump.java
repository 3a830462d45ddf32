package io.lapwing.linux;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;

/** Reads whole records from one open log until reading fails. */
final class LogPump {

  interface Sink {

    void record(byte[] bytes, int from, int to) throws InterruptedException;

    /** Called after the records of each read that left nothing unread, even if there were none. */
    void caughtUp() throws InterruptedException;

    /** What follows is from another log. */
    void replaced();
  }

  /**
   * Consecutive failures. A read after EPIPE succeeds unless the kernel writes a whole buffer in
   * between. The message of EPIPE depends on the locale, so it cannot be recognised.
   */
  private static final int MAX_FAILURES = 10;

  private final RecordReader reader;
  private final RecordBuffer buffer;
  private final Sink sink;
  private int failures;

  LogPump(RecordReader reader, RecordBuffer buffer, Sink sink) {
    this.reader = reader;
    this.buffer = buffer;
    this.sink = sink;
  }

  void run() throws IOException, InterruptedException {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        RecordReader.Got got = reader.read(buffer.room());
        failures = 0;
        take(got);
      } catch (NoSuchFileException | ClosedByInterruptException over) {
        throw over;
      } catch (IOException overwritten) {
        failures++;
        if (failures > MAX_FAILURES) {
          throw overwritten;
        }
      }
    }
  }

  private void take(RecordReader.Got got) throws InterruptedException {
    switch (got) {
      case BYTES -> records();
      case NOTHING_YET -> {
        records();
        reader.awaitMore();
      }
      case RESTARTED -> {
        buffer.clear();
        sink.replaced();
      }
    }
  }

  private void records() throws InterruptedException {
    boolean all = buffer.room().hasRemaining();
    buffer.take(all, sink::record);
    if (all) {
      sink.caughtUp();
    }
  }
}
