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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * {@code tools/bench/fleet --series-budget}: writes the keep-lists and the agent's presets, and
 * counts the series of a real agent on every simulated instance type with each preset. {@code
 * --keep-lists} only writes the lists.
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

  /** The series and bytes of one page. */
  record PageSize(int series, int bytes) {}

  /** The pages of one instance type with full labels; lean ones do not change the series. */
  record Row(String instanceType, PageSize minimal, PageSize standard, PageSize full) {

    /** By preset, the smallest first. */
    Map<String, PageSize> presets() {
      Map<String, PageSize> presets = new LinkedHashMap<>();
      presets.put("minimal", minimal);
      presets.put("standard", standard);
      presets.put("full", full);
      return presets;
    }
  }

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

  private void writeKeepLists() throws IOException {
    List<Path> rules = KeepList.rules(root);
    List<Path> dashboards = PresetFamilies.dashboards(root);
    Path keep = Files.createDirectories(root.resolve("alert-rules/keep"));
    Files.writeString(keep.resolve("rules.yml"), KeepList.of(rules.stream()).yaml("the rules"));
    Files.writeString(
        keep.resolve("core.yml"),
        KeepList.of(KeepList.coreRules(root).stream()).yaml("the core rules"));
    Files.writeString(PresetFamilies.file(root), PresetFamilies.of(root).csv());
    Files.writeString(
        keep.resolve("rules-and-dashboards.yml"),
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
      URI address = node.watch("full", "--metrics=full");
      TimeUnit.NANOSECONDS.sleep(SETTLED.toNanos());
      return new Row(
          type, size(address, "minimal"), size(address, "standard"), size(address, "full"));
    }
  }

  private static PageSize size(URI address, String preset)
      throws IOException, InterruptedException {
    String page = RecordedNode.page(URI.create(address + "?preset=" + preset));
    return new PageSize(RecordedPage.parse(page).samples().size(), page.length());
  }
}
