package io.lapwing.common.log;

import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Structured logging: {@code log.info("listening", "address", url)}. slf4j's binding to
 * java.util.logging would append keys and values to the message.
 */
public final class Log {
  private final Logger logger;

  private Log(Logger logger) {
    this.logger = logger;
  }

  public static Log of(Class<?> source) {
    return new Log(Logger.getLogger(source.getName()));
  }

  public void debug(String message, Object... keysAndValues) {
    write(Level.FINE, message, null, keysAndValues);
  }

  public void info(String message, Object... keysAndValues) {
    write(Level.INFO, message, null, keysAndValues);
  }

  public void warn(String message, Object... keysAndValues) {
    write(Level.WARNING, message, null, keysAndValues);
  }

  public void error(String message, Object... keysAndValues) {
    write(Level.SEVERE, message, null, keysAndValues);
  }

  public void error(String message, Throwable thrown, Object... keysAndValues) {
    write(Level.SEVERE, message, thrown, keysAndValues);
  }

  private void write(
      Level level, String message, @Nullable Throwable thrown, Object... keysAndValues) {
    if (!logger.isLoggable(level)) {
      return;
    }
    LogRecord record = new LogRecord(level, message);
    record.setLoggerName(logger.getName());
    record.setThrown(thrown);
    record.setParameters(fields(keysAndValues));
    logger.log(record);
  }

  private static Object[] fields(Object... keysAndValues) {
    RecordFields.Field[] fields = new RecordFields.Field[keysAndValues.length / 2];
    for (int i = 0; i < fields.length; i++) {
      fields[i] =
          new RecordFields.Field(String.valueOf(keysAndValues[2 * i]), keysAndValues[2 * i + 1]);
    }
    return fields;
  }
}
