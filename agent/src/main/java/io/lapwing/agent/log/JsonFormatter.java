package io.lapwing.agent.log;

import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** {@code {"time":"2026-11-20T11:20:00.123Z","level":"info","msg":"listening"}} */
final class JsonFormatter extends Formatter {

  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder(200).append('{');
    for (Field field : RecordFields.of(record)) {
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
