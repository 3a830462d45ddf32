package io.lapwing.agent.log;

import io.lapwing.agent.config.LogFormat;
import io.lapwing.agent.config.LogLevel;
import io.lapwing.agent.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;
import java.util.stream.Stream;

/** Configures java.util.logging, which also receives slf4j records. */
public final class Logging {
  /**
   * Libraries that log each start-up step at info. A strong reference, because a garbage-collected
   * logger loses its level.
   */
  private static final List<Logger> QUIET_LIBRARIES =
      Stream.of("org.eclipse.jetty", "io.javalin", "io.micrometer").map(Logger::getLogger).toList();

  private Logging() {}

  /** Logs to standard error with these settings. May be called again. */
  public static void start(Settings.Log settings) {
    try {
      LogManager.getLogManager().readConfiguration(InputStream.nullInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    QUIET_LIBRARIES.forEach(library -> library.setLevel(Level.WARNING));
    Logger root = Logger.getLogger("");
    root.setLevel(level(settings.level()));
    root.addHandler(new StandardError(System.err, formatter(settings.format())));
  }

  /** Changes the settings without losing records. */
  public static void change(Settings.Log settings) {
    Logger root = Logger.getLogger("");
    for (Handler handler : root.getHandlers()) {
      handler.setFormatter(formatter(settings.format()));
    }
    root.setLevel(level(settings.level()));
  }

  static Formatter formatter(LogFormat format) {
    return switch (format) {
      case LOGFMT -> new LogfmtFormatter();
      case JSON -> new JsonFormatter();
    };
  }

  private static Level level(LogLevel level) {
    return switch (level) {
      case DEBUG -> Level.FINE;
      case INFO -> Level.INFO;
      case WARN -> Level.WARNING;
      case ERROR -> Level.SEVERE;
    };
  }
}
