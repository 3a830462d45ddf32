package io.lapwing.agent.log;

import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** {@code time=2026-11-20T11:20:00.123Z level=info msg=listening address=http://[::]:9754} */
final class LogfmtFormatter extends Formatter {

  @Override
  public String format(LogRecord record) {
    StringBuilder line = new StringBuilder(160);
    for (Field field : RecordFields.of(record)) {
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
