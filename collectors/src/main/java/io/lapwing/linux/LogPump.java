package io.lapwing.linux;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;

/** Reads one open log until it cannot be read any more, one whole record after the other. */
final class LogPump {

  /** What becomes of it. */
  interface Sink {

    void record(byte[] bytes, int from, int to) throws InterruptedException;

    /** After the records of each read that gave all there was, also where it gave none. */
    void caughtUp() throws InterruptedException;

    /** What follows is of another log. */
    void anew();
  }

  /** How long a regular file is left alone before another look. */
  static final Duration LOOK = Duration.ofMillis(250);

  /**
   * One failure after the other: each EPIPE of the device is followed by a read that succeeds,
   * unless the kernel writes a whole buffer between the two. The message of the error is no help to
   * tell it apart, since it comes in the language of the system.
   */
  private static final int MOST_FAILURES = 10;

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
        if (failures > MOST_FAILURES) {
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
        Thread.sleep(LOOK.toMillis());
      }
      case ANEW -> {
        buffer.clear();
        sink.anew();
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
