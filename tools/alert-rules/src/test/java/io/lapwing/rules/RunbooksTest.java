package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A runbook for each alert, and for nothing else. */
class RunbooksTest {

  private static final List<String> SECTIONS =
      List.of("## Meaning", "## Impact", "## Check", "## Fix", "## False alarms");

  /** {@code XID 79}, {@code XIDs 63, 64 and 94}, {@code xid_79}. */
  private static final Pattern XIDS =
      Pattern.compile("(?:XIDs? |xid_)([0-9]+(?:(?:, | and | or |/)[0-9]+)*)");

  private static Map<String, String> runbooks() throws Exception {
    assertThat(Shipped.rules().alerts()).isNotEmpty();
    Map<String, String> runbooks = new TreeMap<>();
    try (Stream<Path> files = Files.list(Shipped.DOCS.resolve("runbooks"))) {
      for (Path file : files.toList()) {
        runbooks.put(file.getFileName().toString(), Files.readString(file));
      }
    }
    return runbooks;
  }

  @Test
  void thereAreAsManyAsAlerts() throws Exception {
    Set<String> expected = new TreeSet<>();
    Shipped.sets()
        .flatMap(set -> set.alerts().stream())
        .forEach(alert -> expected.add(alert.name() + ".md"));

    assertThat(runbooks().keySet()).isEqualTo(expected);
  }

  @Test
  void eachHasItsSections() throws Exception {
    assertThat(runbooks())
        .allSatisfy(
            (file, text) -> {
              assertThat(text.lines().findFirst())
                  .as(file)
                  .hasValue("# " + file.replace(".md", ""));
              assertThat(text.lines().filter(line -> line.startsWith("## ")).toList())
                  .as(file)
                  .isEqualTo(SECTIONS);
              assertThat(text.lines().count()).as(file).isBetween(15L, 70L);
            });
  }

  /** The part of a runbook that says what to do. */
  private static String fix(String text) {
    return text.substring(text.indexOf("## Fix"), text.indexOf("## False alarms"));
  }

  /** What to type depends on the platform. */
  @Test
  void whatIsDoneToANodeLinksItsCommands() throws Exception {
    Pattern plain = Pattern.compile("(?i)(?<!\\[)\\breplace the\\s+(?:instance|node)\\b");
    Pattern action =
        Pattern.compile(
            "(?i)\\bdrain|\\bcordon|\\breboot|\\breplace the|\\breset the"
                + "|\\bjob\\s+without\\s+it\\b|\\bwithout\\s+(?:that|the)\\s+node\\b|\\bno\\s+new\\s+job|\\bby\\s+hand\\b"
                + "|\\bnode\\s+is\\s+free");

    assertThat(runbooks())
        .allSatisfy(
            (file, text) -> {
              assertThat(plain.matcher(fix(text)).results()).as(file).isEmpty();
              if (action.matcher(fix(text)).find()) {
                assertThat(fix(text)).as(file).contains("](../actions.md");
              }
              assertThat(text).as(file).doesNotContain("lapwing release --gpus");
            });
  }

  @Test
  void theXidsTheyNameAreInTheTable() throws Exception {
    Set<Integer> known = Shipped.xids();
    assertThat(known).contains(79);

    assertThat(runbooks())
        .allSatisfy(
            (file, text) ->
                assertThat(
                        XIDS.matcher(text)
                            .results()
                            .flatMap(
                                said -> Pattern.compile("[^0-9]+").splitAsStream(said.group(1)))
                            .map(Integer::valueOf))
                    .as(file)
                    .isSubsetOf(known));
  }
}
