package io.lapwing.common.log;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.logging.Filter;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Limits the records of libraries: some log a stack trace for each client that disconnects, so that
 * clients could fill the disk. The last record before a gap and the first after it say so.
 */
final class LibraryLimit implements Filter {
  private static final long WINDOW = Duration.ofMinutes(1).toNanos();
  private static final int RECORDS = 20;

  private final List<String> libraries;
  private final LongSupplier nanoTime;
  private long start;
  private int seen;

  /**
   * @param libraries prefixes of the loggers' names
   */
  LibraryLimit(List<String> libraries, LongSupplier nanoTime) {
    this.libraries = libraries;
    this.nanoTime = nanoTime;
    this.start = nanoTime.getAsLong();
  }

  @Override
  public boolean isLoggable(LogRecord record) {
    return !isOfLibrary(record.getLoggerName()) || admit(record);
  }

  private boolean isOfLibrary(@Nullable String logger) {
    return logger != null && libraries.stream().anyMatch(logger::startsWith);
  }

  private synchronized boolean admit(LogRecord record) {
    long now = nanoTime.getAsLong();
    if (now - start >= WINDOW) {
      if (seen > RECORDS) {
        append(record, (seen - RECORDS) + " records of libraries were dropped before this one");
      }
      start = now;
      seen = 0;
    }
    seen++;
    if (seen == RECORDS) {
      append(record, "more records of libraries in this minute are dropped");
    }
    return seen <= RECORDS;
  }

  private static void append(LogRecord record, String note) {
    record.setMessage(record.getMessage() + " (" + note + ")");
  }
}
