package io.lapwing.agent.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class EventsPageTest {
  private static final Path PAGE = Path.of("..", "docs", "events.md");
  private static final String FENCE = "```";

  @Test
  void thePageShowsTheLineOfEachKindAsItIsWritten() throws IOException {
    String page = Files.readString(PAGE);
    int from = page.indexOf(FENCE + "json\n") + FENCE.length() + "json\n".length();
    int to = page.indexOf(FENCE, from);
    String lines = new String(EventJson.lines(SampleEvents.all()), StandardCharsets.US_ASCII);
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(PAGE, page.substring(0, from) + lines + page.substring(to));
      return;
    }

    assertThat(page.substring(from, to))
        .as("run the tests with -Dgolden.update to write it anew")
        .isEqualTo(lines);
  }

  @Test
  void theTableNamesEachKindAndEachOfItsMembersAsOneThatMayOrMayNotBeLeftOut() throws IOException {
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

  /**
   * Whether a line without the member is none; a member is a text, a number, a flag or an array.
   */
  private static boolean isRequired(String line, String name) {
    String without =
        line.replaceFirst(",\"" + name + "\":(\"(\\\\\"|[^\"])*\"|\\[[^]]*]|[a-z0-9-]+)", "");
    assertThat(without).isNotEqualTo(line);
    byte[] bytes = without.getBytes(StandardCharsets.US_ASCII);
    return EventJson.read(bytes, 0, bytes.length) instanceof ParsedLine.Malformed;
  }

  private static String row(String kind) throws IOException {
    return Files.readString(PAGE)
        .lines()
        .filter(line -> line.startsWith("| `" + kind + "`"))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no row for " + kind));
  }
}
