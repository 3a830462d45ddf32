package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What the repository ships, from the folder in which tests run. */
final class Shipped {

  static final Path ROOT = Path.of("..", "..");
  static final Path RULES = ROOT.resolve("alert-rules");
  static final Path CORE = RULES.resolve("core");
  static final Path AUTOMATION = RULES.resolve("automation");
  static final Path DCGM = RULES.resolve("dcgm");
  static final Path DRAIN = RULES.resolve("drain");

  /** Recordings of other names, which no set is loaded with. */
  static final Path NAMES = RULES.resolve("names");

  static final Path DOCS = ROOT.resolve("docs");

  private static final Pattern XID_ROW = Pattern.compile("(?m)^\\| ([0-9]+) \\|");

  private Shipped() {}

  /** The detailed set, and what can be loaded with it: for dcgm-exporter, automation, and drain. */
  static RuleFiles rules() {
    return read(RULES).and(read(DCGM)).and(read(AUTOMATION)).and(read(DRAIN));
  }

  static RuleFiles core() {
    return read(CORE);
  }

  /** Each set that is loaded alone. */
  static Stream<RuleFiles> sets() {
    return Stream.of(rules(), core());
  }

  /** All files. */
  static List<Path> files() {
    return Stream.of(RULES, CORE, DCGM, AUTOMATION, DRAIN, NAMES)
        .flatMap(folder -> RuleFiles.paths(folder).stream())
        .toList();
  }

  private static RuleFiles read(Path folder) {
    RuleFiles rules = RuleFiles.read(folder);
    assertThat(rules.groups()).as("rule files in %s", folder).isNotEmpty();
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
