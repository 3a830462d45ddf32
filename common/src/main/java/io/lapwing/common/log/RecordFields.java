package io.lapwing.common.log;

import io.lapwing.common.text.Redaction;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;

/** The keys and values of a record, for both formats, without secrets of URLs. */
final class RecordFields {
  private static final DateTimeFormatter MILLISECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

  /** Characters of a stack trace: an overflow of the stack has a thousand frames. */
  private static final int TRACE = 16_384;

  private RecordFields() {}

  static List<Field> of(LogRecord record) {
    List<Field> fields = new ArrayList<>();
    fields.add(new Field("time", time(record.getInstant())));
    fields.add(new Field("level", level(record.getLevel())));
    fields.add(new Field("msg", message(record)));
    Object[] parameters = record.getParameters();
    if (parameters instanceof Field[] own) {
      for (Field field : own) {
        fields.add(field.withoutSecrets());
      }
    }
    if (record.getThrown() != null) {
      fields.add(new Field("trace", trace(record.getThrown())));
    }
    return fields;
  }

  private static String time(Instant instant) {
    return MILLISECONDS.format(instant);
  }

  private static LogLevel level(Level level) {
    if (level.intValue() >= Level.SEVERE.intValue()) {
      return LogLevel.ERROR;
    }
    if (level.intValue() >= Level.WARNING.intValue()) {
      return LogLevel.WARN;
    }
    return level.intValue() >= Level.INFO.intValue() ? LogLevel.INFO : LogLevel.DEBUG;
  }

  /** No formatting: slf4j has done it, and parameters of {@link Log} are fields. */
  private static String message(LogRecord record) {
    @Nullable String message = record.getMessage();
    return message == null ? "" : Redaction.urls(message);
  }

  private static String trace(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    String all = Redaction.urls(text.toString().strip());
    return all.length() <= TRACE ? all : all.substring(0, TRACE) + " ... (shortened)";
  }

  record Field(String key, Object value) {

    /** Numbers stay numbers, for JSON. */
    private Field withoutSecrets() {
      return value instanceof Number || value instanceof Boolean
          ? this
          : new Field(key, Redaction.urls(String.valueOf(value)));
    }
  }
}
