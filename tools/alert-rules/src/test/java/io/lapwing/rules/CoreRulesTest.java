package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The core set beside the detailed one. */
class CoreRulesTest {

  private static final Path ALERTS = Shipped.CORE.resolve("core.yml");
  private static final Path RECORDINGS = Shipped.CORE.resolve("recordings.yml");

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .enable(YAMLGenerator.Feature.LITERAL_BLOCK_STYLE)
          .enable(YAMLGenerator.Feature.INDENT_ARRAYS_WITH_INDICATOR)
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private static final String HEADER =
      """
      # The recordings of the detailed set, for the dashboards and for queries, without its alerts; core.yml has the others. Written by
      # CoreRulesTest with -Dgolden.update; the comments are in the files of the folder above.
      """;

  /** What the detailed set records and the core alerts do not. */
  private static String recordings() throws IOException {
    Set<String> core = new TreeSet<>();
    for (JsonNode group : YAML.readTree(ALERTS.toFile()).path("groups")) {
      group.path("rules").forEach(rule -> core.add(rule.path("record").asText()));
    }
    ObjectNode file = YAML.createObjectNode();
    ArrayNode groups = file.putArray("groups");
    for (Path path : RuleFiles.paths(Shipped.RULES)) {
      for (JsonNode group : YAML.readTree(path.toFile()).path("groups")) {
        ObjectNode kept = group.deepCopy();
        ArrayNode rules = kept.putArray("rules");
        group
            .path("rules")
            .valueStream()
            .filter(rule -> rule.has("record") && !core.contains(rule.path("record").asText()))
            .forEach(rules::add);
        if (!rules.isEmpty()) {
          groups.add(kept);
        }
      }
    }
    return HEADER + YAML.writeValueAsString(file);
  }

  @Test
  void itHasTheRecordingsOfTheDetailedSet() throws Exception {
    String expected = recordings();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(RECORDINGS, expected);
    }
    assertThat(Files.readString(RECORDINGS)).as("-Dgolden.update rewrites it").isEqualTo(expected);
    assertThat(names(Shipped.core().recordings()))
        .containsAll(names(RuleFiles.read(Shipped.RULES).recordings()));
  }

  private static List<String> names(List<Rule> rules) {
    return rules.stream().map(Rule::name).toList();
  }

  /** In the core set they are by the action, in the detailed one by the finding. */
  static final Set<String> APART = Set.of("LapwingAutomationHeld");

  @Test
  void aRuleOfTheSameNameIsTheSame() {
    Map<String, List<String>> detailed =
        Shipped.rules().rules().stream()
            .collect(
                Collectors.groupingBy(
                    Rule::name, Collectors.mapping(CoreRulesTest::body, Collectors.toList())));

    for (Rule rule : Shipped.core().rules()) {
      boolean byAction = rule.alert() && rule.expr().contains("\"held\"");
      if (detailed.containsKey(rule.name()) && !APART.contains(rule.name()) && !byAction) {
        assertThat(detailed.get(rule.name())).as(rule.place()).contains(body(rule));
      }
    }
  }

  private static String body(Rule rule) {
    return rule.expr()
        + rule.hold()
        + new TreeMap<>(rule.labels())
        + new TreeMap<>(rule.annotations());
  }

  @Test
  void itHasFifteenAlertsAndTwoThatSuppressOthers() {
    Set<String> names = new TreeSet<>(names(Shipped.core().alerts()));

    assertThat(names)
        .containsExactlyInAnyOrder(
            "LapwingNodeReplace",
            "LapwingNodeReboot",
            "LapwingGpuReset",
            "LapwingNodeDegraded",
            "LapwingNodeUnknown",
            "LapwingNodeGone",
            "LapwingNoData",
            "LapwingAgentMissing",
            "LapwingClusterBlind",
            "LapwingManyNodesFailing",
            "LapwingLemonNode",
            "LapwingNvlinkDomain",
            "LapwingJobStalled",
            "LapwingJobSlow",
            "LapwingWatchdog",
            "LapwingAutomationHeld",
            "LapwingNodeInMaintenance");
  }
}
