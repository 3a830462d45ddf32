package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.actions.Runbooks;
import io.lapwing.agent.actions.Runbooks.Entry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of runbooks in {@code docs/health.md}. */
class RunbookTableTest {

  private static final Path DOCUMENT = Path.of("..", "docs", "health.md");
  private static final String START = "| rule | runbook |\n|---|---|\n";

  @Test
  void theDocumentHasTheRunbooksOfTheAgent() throws Exception {
    String document = Files.readString(DOCUMENT);
    int start = document.indexOf(START) + START.length();
    int end = document.indexOf("\n\n", start) + 1;
    assertThat(start).isGreaterThan(START.length());

    if (Boolean.getBoolean("golden.update")) {
      document = document.substring(0, start) + rows() + document.substring(end);
      Files.writeString(DOCUMENT, document);
      end = document.indexOf("\n\n", start) + 1;
    }
    assertThat(document.substring(start, end)).isEqualTo(rows());
  }

  private static String rows() {
    return Runbooks.shipped().entries().stream()
        .map(RunbookTableTest::row)
        .collect(Collectors.joining());
  }

  private static String row(Entry entry) {
    String rules =
        entry.rules().stream()
            .map(
                rule ->
                    rule.equals("*")
                        ? "any rule that the alert rules do not know"
                        : "`" + rule + "`")
            .collect(Collectors.joining(", "));
    return "| " + rules + " | " + runbook(entry) + " |\n";
  }

  private static String runbook(Entry entry) {
    if (entry.also().startsWith("none")) {
      return entry.also();
    }
    return link(entry.runbook())
        + (entry.info().isEmpty() ? "" : "; of severity info: " + link(entry.info()))
        + (entry.also().isEmpty() ? "" : "; " + entry.also());
  }

  private static String link(String name) {
    return "[" + name + "](runbooks/" + name + ".md)";
  }
}
