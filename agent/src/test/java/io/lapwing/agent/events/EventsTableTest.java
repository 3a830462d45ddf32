package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.EventJson.ParsedLine;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of kinds in {@code docs/events.md}. */
class EventsTableTest {
  private static final Path DOCUMENT = Path.of("..", "docs", "events.md");

  @Test
  void theTableHasEachMemberOfEachKindAsRequiredOrOptional() throws IOException {
    for (Event event : SampleEvents.all()) {
      String line = new String(EventJson.lines(List.of(event)), StandardCharsets.US_ASCII);
      String kind = line.substring("{\"kind\":\"".length(), line.indexOf("\",\"at\""));
      String row = row(kind);
      String[] cells = row.split("\\|", -1);
      for (RecordComponent component : event.getClass().getRecordComponents()) {
        String name = component.getName();
        if (!name.equals("at")) {
          assertThat(cells[isRequired(line, name) ? 2 : 3]).as(kind).contains("`" + name + "`");
        }
      }
    }
  }

  /** Whether a line without the member is malformed; it is a text, a number, a flag or an array. */
  private static boolean isRequired(String line, String name) {
    String without =
        line.replaceFirst(",\"" + name + "\":(\"(\\\\\"|[^\"])*\"|\\[[^]]*]|[a-z0-9-]+)", "");
    assertThat(without).isNotEqualTo(line);
    byte[] bytes = without.getBytes(StandardCharsets.US_ASCII);
    return EventJson.read(bytes, 0, bytes.length) instanceof ParsedLine.Malformed;
  }

  private static String row(String kind) throws IOException {
    return Files.readString(DOCUMENT)
        .lines()
        .filter(line -> line.startsWith("| `" + kind + "`"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row for " + kind));
  }
}
