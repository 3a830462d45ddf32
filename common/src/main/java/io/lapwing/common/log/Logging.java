package io.lapwing.common.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Configures java.util.logging, which also receives slf4j records. */
public final class Logging {
  private static final List<String> LIBRARIES =
      List.of("org.eclipse.jetty", "io.javalin", "io.micrometer");

  /**
   * Libraries that log start-up steps at info. Strong references: a collected logger loses its
   * level.
   */
  private static final List<Logger> QUIET_LIBRARIES =
      LIBRARIES.stream().map(Logger::getLogger).toList();

  private Logging() {}

  /** Logs to standard error with these settings. May be called again. */
  public static void start(LogSettings settings) {
    try {
      LogManager.getLogManager().readConfiguration(InputStream.nullInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    QUIET_LIBRARIES.forEach(library -> library.setLevel(Level.WARNING));
    Logger root = Logger.getLogger("");
    root.setLevel(level(settings.level()));
    Handler handler = new StandardError(System.err, formatter(settings.format()));
    handler.setFilter(new LibraryLimit(LIBRARIES, System::nanoTime));
    root.addHandler(handler);
  }

  /** Changes the settings without losing records. */
  public static void change(LogSettings settings) {
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

  /** Quotes text by JSON's rules, which logfmt shares. The result is always a single line. */
  static final class QuotedText {
    private static final char DELETE = 0x7f;
    private static final char LAST_C1_CONTROL = 0x9f;

    private QuotedText() {}

    static void append(StringBuilder out, String text) {
      out.append('"');
      for (int i = 0; i < text.length(); i++) {
        append(out, text, i);
      }
      out.append('"');
    }

    private static void append(StringBuilder out, String text, int i) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\n' -> out.append("\\n");
        case '\r' -> out.append("\\r");
        case '\t' -> out.append("\\t");
        default -> {
          if (isUnprintable(text, i)) {
            out.append(String.format("\\u%04x", (int) c));
          } else {
            out.append(c);
          }
        }
      }
    }

    /** Control characters, Unicode line separators and unpaired surrogates. */
    static boolean isUnprintable(String text, int i) {
      char c = text.charAt(i);
      return c < ' '
          || (c >= DELETE && c <= LAST_C1_CONTROL)
          || c == '\u2028'
          || c == '\u2029'
          || (Character.isSurrogate(c) && !isPaired(text, i));
    }

    private static boolean isPaired(String text, int i) {
      char c = text.charAt(i);
      return Character.isHighSurrogate(c)
          ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
          : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
  }

  /** Writes each record in one call, so that lines of different threads do not interleave. */
  static final class StandardError extends Handler {
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

  /** {@code {"time":"2026-11-20T11:20:00.123Z","level":"info","msg":"listening"}} */
  static final class JsonFormatter extends Formatter {

    @Override
    public String format(LogRecord record) {
      StringBuilder line = new StringBuilder(200).append('{');
      for (RecordFields.Field field : RecordFields.of(record)) {
        line.append(line.length() == 1 ? "" : ",");
        QuotedText.append(line, field.key());
        line.append(':');
        value(line, field.value());
      }
      return line.append("}\n").toString();
    }

    private static void value(StringBuilder line, Object value) {
      if (value instanceof Integer || value instanceof Long || value instanceof Boolean) {
        line.append(value);
      } else {
        QuotedText.append(line, String.valueOf(value));
      }
    }
  }

  /** {@code time=2026-11-20T11:20:00.123Z level=info msg=listening address=http://[::]:9754} */
  static final class LogfmtFormatter extends Formatter {

    @Override
    public String format(LogRecord record) {
      StringBuilder line = new StringBuilder(160);
      for (RecordFields.Field field : RecordFields.of(record)) {
        line.append(line.isEmpty() ? "" : " ").append(key(field.key())).append('=');
        value(line, String.valueOf(field.value()));
      }
      return line.append('\n').toString();
    }

    private static void value(StringBuilder line, String text) {
      if (isPlain(text)) {
        line.append(text);
      } else {
        QuotedText.append(line, text);
      }
    }

    /** Whether the value needs no quotes. */
    private static boolean isPlain(String text) {
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c <= ' ' || c == '"' || c == '=' || c == '\\' || QuotedText.isUnprintable(text, i)) {
          return false;
        }
      }
      return !text.isEmpty();
    }

    private static String key(String key) {
      return key.isEmpty() ? "_" : key.replaceAll("[^A-Za-z0-9_.-]", "_");
    }
  }
}
