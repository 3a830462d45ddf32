package io.lapwing.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotEmpty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FormatterTest {
  private static final Instant MOMENT = Instant.parse("2026-11-20T11:20:00.123456Z");

  @Test
  void aRecordInLogfmt() {
    assertThat(
            logfmt(record("now listening", new RecordFields.Field("address", "http://[::]:9754"))))
        .isEqualTo(
            "time=2026-11-20T11:20:00.123Z level=info msg=\"now listening\""
                + " address=http://[::]:9754\n");
  }

  @Test
  void aRecordInJson() {
    assertThat(
            json(
                record(
                    "listening",
                    new RecordFields.Field("address", ":9754"),
                    new RecordFields.Field("threads", 3))))
        .isEqualTo(
            "{\"time\":\"2026-11-20T11:20:00.123Z\",\"level\":\"info\",\"msg\":\"listening\","
                + "\"address\":\":9754\",\"threads\":3}\n");
  }

  @Test
  void noSecretOfAUrlIsLogged() {
    LogRecord record =
        record(
            "GET http://a/?k=swordfish failed",
            new RecordFields.Field("url", URI.create("http://ada:hunter2@a/m?sig=swordfish")),
            new RecordFields.Field("tries", 3));
    record.setThrown(new IllegalArgumentException("Illegal character: http://a/?k=swordfish"));

    for (String line : List.of(logfmt(record), json(record))) {
      assertThat(line)
          .doesNotContain("swordfish", "hunter2")
          .contains("http://a/?[redacted]", "http://[redacted]@a/m?[redacted]");
    }
    assertThat(json(record)).contains("\"tries\":3");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plain        | plain",
        "``           | \"\"",
        "two words    | \"two words\"",
        "a=b          | \"a=b\"",
        "say \"hi\"   | \"say \\\"hi\\\"\"",
        "C:\\dir      | \"C:\\\\dir\"",
        "héllo        | héllo",
      })
  void valuesAreQuotedIfNecessary(String value, String written) {
    assertThat(logfmt(record("m", new RecordFields.Field("k", value))))
        .endsWith(" k=" + written + "\n");
  }

  @Test
  void controlCharactersAndLineEndsAreEscaped() {
    assertThat(logfmt(record("a\r\n\tb\u0000c\u001b[31m\u2028d\u0085e\ud800f")))
        .endsWith("msg=\"a\\r\\n\\tb\\u0000c\\u001b[31m\\u2028d\\u0085e\\ud800f\"\n");
  }

  @Test
  void aStackTraceStaysOnItsRecord() {
    LogRecord record = record("broken");
    record.setThrown(new IllegalStateException("two\nlines", new RuntimeException("cause")));

    assertThat(logfmt(record).lines()).hasSize(1);
    assertThat(logfmt(record))
        .contains("trace=\"java.lang.IllegalStateException: two\\nlines\\n\\tat ")
        .contains("Caused by: java.lang.RuntimeException: cause");
  }

  @ParameterizedTest
  @CsvSource({"SEVERE,error", "WARNING,warn", "INFO,info", "CONFIG,debug", "FINE,debug"})
  void levelsHaveShortNames(String level, String name) {
    LogRecord record = record("m");
    record.setLevel(Level.parse(level));

    assertThat(logfmt(record)).contains(" level=" + name + " ");
  }

  @Property
  void everyRecordIsOneLineOfLogfmt(
      @ForAll String message, @ForAll Map<String, String> pairs, @ForAll @NotEmpty String cause) {
    LogRecord record = record(message, fields(pairs));
    record.setThrown(new IllegalStateException(cause));

    String line = logfmt(record);

    assertThat(line).endsWith("\n");
    assertThat(line.substring(0, line.length() - 1).chars())
        .noneMatch(c -> Character.isISOControl(c) || c == '\u2028' || c == '\u2029');
  }

  @Property
  void everyRecordInJsonIsReadBack(@ForAll String message, @ForAll String value) throws Exception {
    String line = json(record(message, new RecordFields.Field("key", value)));

    JsonNode read = new ObjectMapper().readTree(line);
    assertThat(line.indexOf('\n')).isEqualTo(line.length() - 1);
    assertThat(read.get("msg").asText()).isEqualTo(message);
    assertThat(read.get("key").asText()).isEqualTo(value);
  }

  private static RecordFields.Field[] fields(Map<String, String> pairs) {
    List<RecordFields.Field> fields = new ArrayList<>();
    pairs.forEach((key, value) -> fields.add(new RecordFields.Field(key, value)));
    return fields.toArray(RecordFields.Field[]::new);
  }

  private static LogRecord record(String message, RecordFields.Field... fields) {
    LogRecord record = new LogRecord(Level.INFO, message);
    record.setInstant(MOMENT);
    record.setParameters(fields);
    return record;
  }

  private static String logfmt(LogRecord record) {
    return Logging.formatter(LogFormat.LOGFMT).format(record);
  }

  private static String json(LogRecord record) {
    return Logging.formatter(LogFormat.JSON).format(record);
  }
}
