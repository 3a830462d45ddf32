package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Expr.Matcher;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each finding has exactly one alert. */
class CoverageTest {

  private static final String FINDING = "lapwing_health_finding";
  private static final String REST = "LapwingNodeFindingUnlisted";

  /** Alerts on nodes and not on findings; a finding may match one of them and its own alert. */
  private static final Set<String> OF_NODES = Set.of("fleet.yml", "automation.yml");

  /** Alerts on findings that several nodes share; the alerts of the findings leave those out. */
  private static final Set<String> SHARED = Set.of("LapwingNvlinkDomain");

  /** Rules without an alert, each with its reason. */
  private static final Set<String> QUIET = Set.of();

  /** A finding of rules that have several for one subject. */
  private static final Map<String, String> OF_MANY =
      Map.of("sxid", "sxid_11001", "dcgm_health", "dcgm_health_mem");

  private static final Pattern SECTION = Pattern.compile("(?m)^## ([a-z_]+)$");

  private static final Pattern DISPOSITION =
      Pattern.compile(
          "\\*\\*Disposition:\\*\\* aws ([a-z]+), `([a-z_]+)` [a-z ]+; nvidia ([a-z]+), `([a-z_]+)`");

  /** {@code failing, reset_gpu, now}. */
  private static final Pattern XID_CALL = Pattern.compile("\\| ([a-z]+), ([a-z_]+), [a-z_]+ ");

  private static final Set<String> OF_CORE = Set.of("lapwing-core-findings", "lapwing-core-nodes");

  /** A finding as exposed. */
  private record Finding(String rule, String severity, String action) {

    boolean accepted(Matcher matcher) {
      String value =
          switch (matcher.label()) {
            case "rule" -> rule;
            case "severity" -> severity;
            case "action" -> action;
            default -> null;
          };
      if (value == null) {
        return true;
      }
      boolean same =
          matcher.isRegex()
              ? Pattern.matches(matcher.value(), value)
              : matcher.value().equals(value);
      return same != matcher.operator().startsWith("!");
    }
  }

  /** The findings under the default profile and under the other one. */
  private static List<Finding> findings() throws Exception {
    List<Finding> findings = new ArrayList<>();
    String document = Files.readString(Shipped.DOCS.resolve("health-rules.md"));
    for (String section : Pattern.compile("(?m)^(?=## )").splitAsStream(document).toList()) {
      java.util.regex.Matcher name = SECTION.matcher(section);
      java.util.regex.Matcher disposition = DISPOSITION.matcher(section);
      if (name.find() && disposition.find() && !name.group(1).equals("xid")) {
        // Of an NVSwitch's errors the number is part of the rule, as of XIDs; of DCGM's the part.
        String rule = OF_MANY.getOrDefault(name.group(1), name.group(1));
        findings.add(new Finding(rule, disposition.group(1), disposition.group(2)));
        findings.add(new Finding(rule, disposition.group(3), disposition.group(4)));
      }
    }
    for (String row : Files.readAllLines(Shipped.DOCS.resolve("xids.md"))) {
      java.util.regex.Matcher number = Pattern.compile("^\\| ([0-9]+) \\|").matcher(row);
      if (number.find()) {
        for (MatchResult cell : XID_CALL.matcher(row).results().toList()) {
          findings.add(new Finding("xid_" + number.group(1), cell.group(1), cell.group(2)));
        }
      }
    }
    return findings;
  }

  /** Where an alert reads findings; in the core set through a recording, which both select. */
  private record Reader(Rule alert, List<Expr.Selector> selectors) {

    Reader(Rule alert, Expr.Selector selector) {
      this(alert, List.of(selector));
    }

    boolean isRest() {
      return alert.name().equals(REST);
    }

    boolean sees(Finding finding) {
      return selectors.stream()
          .flatMap(selector -> selector.matchers().stream())
          .allMatch(finding::accepted);
    }
  }

  private static List<Reader> readers() {
    RuleFiles rules = Shipped.rules();
    return rules.alerts().stream()
        .filter(alert -> !OF_NODES.contains(alert.file()) && !SHARED.contains(alert.name()))
        .flatMap(
            alert ->
                Filters.makers(alert.query())
                    .flatMap(selector -> behind(selector, rules))
                    .filter(selector -> selector.metric().equals(FINDING))
                    .map(selector -> new Reader(alert, selector)))
        .toList();
  }

  /** What a recorded series is made of, and any other series itself. */
  private static Stream<Expr.Selector> behind(Expr.Selector selector, RuleFiles rules) {
    return Stream.concat(
        Stream.of(selector),
        rules.recordings().stream()
            .filter(recording -> recording.name().equals(selector.metric()))
            .flatMap(recording -> Filters.makers(recording.query())));
  }

  private static Set<String> alertsOf(Finding finding, List<Reader> readers) {
    Set<String> names = new TreeSet<>();
    readers.stream()
        .filter(reader -> !reader.isRest() && reader.sees(finding))
        .forEach(reader -> names.add(reader.alert().name()));
    return names;
  }

  @Test
  void theDocumentsAreReadWhole() throws Exception {
    assertThat(findings()).extracting(Finding::rule).contains("gpu_lost", "lnet_drops", "xid_79");
    assertThat(findings().stream().filter(finding -> finding.rule().startsWith("xid_")))
        .hasSize(2 * Shipped.xids().size());
    long sections =
        SECTION
            .matcher(Files.readString(Shipped.DOCS.resolve("health-rules.md")))
            .results()
            .count();
    assertThat(findings().stream().filter(finding -> !finding.rule().startsWith("xid_")))
        .hasSize((int) (2 * (sections - 1)));
  }

  @Test
  void eachFindingThatTouchesTheVerdictHasOneAlert() throws Exception {
    List<Reader> readers = readers();
    List<String> wrong = new ArrayList<>();
    for (Finding finding : findings()) {
      Set<String> alerts = alertsOf(finding, readers);
      boolean alerting = !finding.severity().equals("info") && !QUIET.contains(finding.rule());
      if (alerting && alerts.size() != 1) {
        wrong.add(finding + " has " + alerts);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void eachFindingThatTouchesTheVerdictHasOneCoreAlert() throws Exception {
    RuleFiles core = Shipped.core();
    List<Reader> readers =
        core.alerts().stream()
            .filter(alert -> OF_CORE.contains(alert.group()) && !SHARED.contains(alert.name()))
            .flatMap(
                alert ->
                    Filters.makers(alert.query())
                        .flatMap(
                            one ->
                                behind(one, core).map(two -> new Reader(alert, List.of(one, two)))))
            .filter(reader -> reader.selectors().get(1).metric().equals(FINDING))
            .toList();
    assertThat(readers).isNotEmpty();
    List<String> wrong = new ArrayList<>();
    for (String severity : Set.of("info", "degraded", "unknown", "failing")) {
      for (String action : RuleLint.LABELS.getOrDefault("action", Set.of())) {
        Finding finding = new Finding("any", severity, action);
        if (alertsOf(finding, readers).size() != (severity.equals("info") ? 0 : 1)) {
          wrong.add(finding + " has " + alertsOf(finding, readers));
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  @Test
  void noFindingHasTwoAlertsHoweverASiteCallsIt() throws Exception {
    Set<String> rules = new TreeSet<>();
    findings().forEach(finding -> rules.add(finding.rule()));
    List<Reader> readers = readers();
    List<String> twice = new ArrayList<>();
    for (String rule : rules) {
      for (String severity : Set.of("info", "degraded", "unknown", "failing")) {
        for (String action : RuleLint.LABELS.getOrDefault("action", Set.of())) {
          Finding finding = new Finding(rule, severity, action);
          if (alertsOf(finding, readers).size() > 1) {
            twice.add(finding + " has " + alertsOf(finding, readers));
          }
        }
      }
    }
    assertThat(twice).isEmpty();
  }

  /** The agent names the runbook of a finding by itself. */
  @Test
  void theAlertOfAFindingHasTheNameOfItsRunbook() throws Exception {
    List<Reader> readers = readers();
    String document = Files.readString(Shipped.DOCS.resolve("health.md"));
    List<String> wrong = new ArrayList<>();
    for (Finding finding : findings()) {
      Set<String> alerts = alertsOf(finding, readers);
      if (!finding.severity().equals("info") && !alerts.isEmpty()) {
        String row = row(document, finding.rule());
        if (!alerts.stream().allMatch(alert -> row.contains("[" + alert + "]"))) {
          wrong.add(finding + " has " + alerts + ", and the runbook is in: " + row);
        }
      }
    }
    assertThat(wrong).isEmpty();
  }

  /** The row of a rule in the table of runbooks. */
  private static String row(String document, String rule) {
    String name =
        rule.replaceFirst("^(s?xid)_[0-9]+$", "$1_*").replaceFirst("^(dcgm_health)_.*$", "$1_*");
    return document
        .lines()
        .filter(line -> line.startsWith("|") && line.contains("](runbooks/"))
        .filter(line -> line.contains("`" + name + "`"))
        .findFirst()
        .orElse("");
  }

  @Test
  void theAlertForTheRestSeesWhatNoOtherKnowsAndNothingElse() throws Exception {
    List<Reader> rest = readers().stream().filter(Reader::isRest).toList();
    assertThat(rest).isNotEmpty();

    assertThat(findings()).noneMatch(finding -> rest.stream().anyMatch(r -> r.sees(finding)));
    assertThat(rest)
        .anyMatch(reader -> reader.sees(new Finding("of_tomorrow", "failing", "replace_node")));
  }
}
