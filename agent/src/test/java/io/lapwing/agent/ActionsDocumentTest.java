package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ActionsDocumentTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "actions.md");
  private static final Pattern ANCHOR = Pattern.compile("\\]\\(#([a-z0-9-]+)\\)");

  @Test
  void theDocumentAndTheTableAreEqual() throws Exception {
    String document = ActionsDocument.markdown();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(DOCUMENT, document);
    }
    assertThat(DOCUMENT).as("run the tests with -Dgolden.update to write it").exists();
    assertThat(document).isEqualTo(Files.readString(DOCUMENT));
  }

  @Test
  void everyLinkOfTheOverviewHasItsSection() {
    String document = ActionsDocument.markdown();
    String anchors =
        document
            .lines()
            .filter(line -> line.startsWith("#"))
            .map(line -> line.replaceFirst("^#+ ", "").toLowerCase(java.util.Locale.ROOT))
            .map(line -> line.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
            .collect(Collectors.joining("\n", "\n", "\n"));

    assertThat(ANCHOR.matcher(document).results().map((MatchResult link) -> link.group(1)))
        .isNotEmpty()
        .allSatisfy(link -> assertThat(anchors).contains("\n" + link + "\n"));
  }
}
