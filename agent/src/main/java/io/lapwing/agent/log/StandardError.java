package io.lapwing.agent.log;

import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.LogRecord;

/** Writes each record in one call, so that lines of different threads do not interleave. */
final class StandardError extends Handler {
  private final PrintStream stream;

  StandardError(PrintStream stream, Formatter formatter) {
    this.stream = stream;
    setFormatter(formatter);
  }

  @Override
  public void publish(LogRecord record) {
    if (isLoggable(record)) {
      byte[] line = getFormatter().format(record).getBytes(StandardCharsets.UTF_8);
      stream.write(line, 0, line.length);
      stream.flush();
    }
  }

  @Override
  public void flush() {
    stream.flush();
  }

  @Override
  public void close() {
    stream.flush();
  }
}
