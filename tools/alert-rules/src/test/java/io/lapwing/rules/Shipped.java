package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What the repository ships, from the folder in which tests run. */
final class Shipped {

  static final Path ROOT = Path.of("..", "..");
  static final Path RULES = ROOT.resolve("alert-rules");
  static final Path DOCS = ROOT.resolve("docs");

  private static final Pattern XID_ROW = Pattern.compile("(?m)^\\| ([0-9]+) \\|");

  private Shipped() {}

  static RuleFiles rules() {
    RuleFiles rules = RuleFiles.read(RULES);
    assertThat(rules.groups()).as("rule files in %s", RULES).isNotEmpty();
    return rules;
  }

  /** The numbers that {@code docs/xids.md} has, which is made of the agent's table. */
  static Set<Integer> xids() throws IOException {
    Set<Integer> numbers = new TreeSet<>();
    XID_ROW
        .matcher(Files.readString(DOCS.resolve("xids.md")))
        .results()
        .forEach(row -> numbers.add(Integer.valueOf(row.group(1))));
    return numbers;
  }
}
