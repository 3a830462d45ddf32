package io.lapwing.stack.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * {@code tools/bench/fleet --series-budget}: writes the keep-lists, and counts the series of a real
 * agent on every simulated instance type, with and without them. {@code --keep-lists} only writes
 * the lists.
 */
public final class SeriesBudget {

  /** After this time every collector has run and the ranks have done steps. */
  private static final Duration SETTLED = Duration.ofSeconds(75);

  private static final String TYPES =
      "tools/simulator/src/main/resources/io/lapwing/simulator/instances.yaml";

  private final Path root;
  private final Commands commands;

  private SeriesBudget(Path root, Commands commands) {
    this.root = root;
    this.commands = commands;
  }

  /**
   * The series of one instance type.
   *
   * @param full all series; lean labels do not change the number
   * @param rules series that the rules read
   * @param dashboards series that rules or dashboards read
   * @param fullBytes size of the response
   * @param leanBytes size with lean labels
   */
  record Row(
      String instanceType, int full, int rules, int dashboards, int fullBytes, int leanBytes) {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path root = Path.of(arguments[0]);
    List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
    boolean listsOnly = rest.get(0).equals("--keep-lists");
    SeriesBudget budget = new SeriesBudget(root, Commands.parse(rest.subList(1, rest.size())));
    budget.writeKeepLists();
    if (listsOnly) {
      return;
    }
    Path scratch = Files.createTempDirectory("lapwing-budget");
    try {
      System.out.println(CostTable.text(budget.rows(scratch)));
    } finally {
      try (Stream<Path> files = Files.walk(scratch)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
      }
    }
  }

  private Path rulesList() {
    return root.resolve("alert-rules/keep/rules.yml");
  }

  private Path dashboardsList() {
    return root.resolve("alert-rules/keep/rules-and-dashboards.yml");
  }

  private void writeKeepLists() throws IOException {
    List<Path> rules = KeepList.rules(root);
    List<Path> dashboards = KeepList.files(root.resolve("grafana-dashboards"), ".json");
    Files.createDirectories(rulesList().getParent());
    Files.writeString(rulesList(), KeepList.of(rules.stream()).yaml("the rules"));
    Files.writeString(
        root.resolve("alert-rules/keep/core.yml"),
        KeepList.of(KeepList.coreRules(root).stream()).yaml("the core rules"));
    Files.writeString(
        dashboardsList(),
        KeepList.of(Stream.concat(rules.stream(), dashboards.stream()))
            .yaml("the rules and the dashboards"));
  }

  private List<Row> rows(Path scratch) throws IOException, InterruptedException {
    JsonNode types = new YAMLMapper().readTree(root.resolve(TYPES).toFile()).path("instances");
    List<Row> rows = new ArrayList<>();
    for (String type : types.propertyStream().map(Map.Entry::getKey).toList()) {
      System.err.println("recording a " + type + " ...");
      rows.add(row(type, scratch.resolve(type)));
    }
    return rows;
  }

  private Row row(String type, Path scratch) throws IOException, InterruptedException {
    try (RecordedNode node = RecordedNode.start(commands, scratch, type, FleetPlan.TRAINING)) {
      URI full = node.watch("full");
      URI lean = node.watch("lean", "--labels=lean");
      TimeUnit.NANOSECONDS.sleep(SETTLED.toNanos());
      String page = RecordedNode.page(full);
      String leanPage = RecordedNode.page(lean);
      return new Row(
          type,
          count(page, Pattern.compile(".*")),
          count(page, KeepList.read(rulesList())),
          count(page, KeepList.read(dashboardsList())),
          page.length(),
          leanPage.length());
    }
  }

  private static int count(String page, Pattern kept) {
    return RecordedPage.parse(page).keeping(kept.asMatchPredicate()).samples().size();
  }
}
