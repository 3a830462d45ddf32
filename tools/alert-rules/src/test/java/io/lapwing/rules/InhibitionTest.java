package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.rules.Routing.Inhibition;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Which alert inhibits which; of all alerts of a fault at least one is never inhibited. */
class InhibitionTest {

  private static final String MANY = "LapwingAutomationHeld";

  /** These cover many XIDs or rules, so one of them on many nodes does not explain the others. */
  private static final Set<String> OF_MANY_RULES =
      Set.of("LapwingXid", "LapwingXidApplication", "LapwingNvswitchSxid");

  private static Map<String, String> labels(String... pairs) {
    Map<String, String> labels = new TreeMap<>();
    for (int at = 0; at < pairs.length; at += 2) {
      labels.put(pairs[at], pairs[at + 1]);
    }
    return labels;
  }

  private static Map<String, String> finding(String scope, String severity, String action) {
    return labels(
        "alertname",
        "Some" + scope,
        "cluster",
        "c",
        "instance",
        "n",
        "scope",
        scope,
        "severity",
        severity,
        "action",
        action);
  }

  private final List<Inhibition> inhibitions;

  InhibitionTest() throws Exception {
    inhibitions = Routing.inhibitions(Routing.alertmanager());
  }

  private boolean silences(Map<String, String> one, Map<String, String> other) {
    return inhibitions.stream().anyMatch(rule -> rule.silences(one, other));
  }

  @Test
  void replacementInhibitsTheOtherAlertsOfTheNode() {
    Map<String, String> replace = finding("xid", "critical", "replace_node");

    assertThat(silences(replace, finding("gpu", "critical", "reboot_node"))).isTrue();
    assertThat(silences(replace, finding("efa", "warning", "watch"))).isTrue();
    assertThat(silences(replace, finding("gpu", "critical", "replace_node"))).isFalse();
    assertThat(silences(finding("gpu", "critical", "reboot_node"), replace)).isFalse();
    assertThat(
            silences(finding("gpu", "warning", "replace_node"), finding("efa", "warning", "watch")))
        .isFalse();
  }

  @Test
  void whatNothingConfirmsInhibitsNothing() {
    for (String action : List.of("replace_node", "reboot_node")) {
      Map<String, String> doubtful = finding("xid", "critical", action);
      doubtful.put("confirmed", "0");

      assertThat(silences(doubtful, finding("xid", "warning", "reset_gpu"))).isFalse();
      assertThat(silences(doubtful, finding("efa", "warning", "watch"))).isFalse();
    }
  }

  @Test
  void anotherNodeIsNotSilenced() {
    Map<String, String> other = finding("gpu", "warning", "watch");
    other.put("instance", "m");

    assertThat(silences(finding("xid", "critical", "replace_node"), other)).isFalse();
  }

  @Test
  void anAlertWithoutANodeSilencesNoOtherWithoutANode() {
    Map<String, String> one = finding("gpu", "critical", "replace_node");
    Map<String, String> other = finding("gpu", "warning", "watch");
    one.remove("instance");
    other.remove("instance");

    assertThat(silences(one, other)).isFalse();
  }

  @Test
  void whatFailsSilencesWhatIsDegradedInItsScopeButNoCallForReplacement() {
    Map<String, String> failing = finding("efa", "critical", "watch");

    assertThat(silences(failing, finding("efa", "warning", "watch"))).isTrue();
    assertThat(silences(failing, finding("lustre", "warning", "watch"))).isFalse();
    assertThat(silences(failing, finding("efa", "warning", "replace_node"))).isFalse();
  }

  @Test
  void aNodeThatIsGoneSilencesItsFindingsAndABlindClusterTheNode() {
    Map<String, String> gone = finding("fleet", "critical", "watch");
    gone.put("alertname", "LapwingNodeGone");

    assertThat(silences(gone, finding("gpu", "critical", "replace_node"))).isTrue();
    assertThat(silences(finding("gpu", "critical", "replace_node"), gone)).isFalse();
    Map<String, String> blind = labels("alertname", "LapwingClusterBlind", "cluster", "c");
    assertThat(silences(blind, gone)).isTrue();
    assertThat(silences(blind, labels("alertname", "LapwingJobNodeFailing", "cluster", "c")))
        .isTrue();
    assertThat(silences(blind, labels("alertname", "LapwingJobNodeFailing", "cluster", "d")))
        .isFalse();
  }

  @Test
  void aNodeInMaintenanceIsSilentAndAfterwardsIsNot() {
    Map<String, String> maintenance = finding("fleet", "info", "none");
    maintenance.put("alertname", "LapwingNodeInMaintenance");
    Map<String, String> gone = finding("fleet", "critical", "watch");
    gone.put("alertname", "LapwingNodeGone");
    Map<String, String> failing = finding("xid", "critical", "replace_node");

    assertThat(silences(maintenance, failing)).isTrue();
    assertThat(silences(maintenance, finding("gpu", "warning", "reset_gpu"))).isTrue();
    assertThat(silences(maintenance, finding("dcgm", "critical", "replace_node"))).isTrue();
    assertThat(silences(maintenance, gone)).isTrue();
    assertThat(silences(failing, maintenance)).isFalse();
    failing.put("instance", "m");
    assertThat(silences(maintenance, failing)).isFalse();
    failing.remove("instance");
    assertThat(silences(maintenance, failing)).isFalse();
  }

  @Test
  void aTestFindingSilencesNoRealAlertAndIsSentDuringMaintenance() {
    Map<String, String> test = finding("xid", "critical", "replace_node");
    test.put("test", "1");
    Map<String, String> milderTest = finding("gpu", "critical", "reset_gpu");
    milderTest.put("test", "1");
    Map<String, String> maintenance = finding("fleet", "info", "none");
    maintenance.put("alertname", "LapwingNodeInMaintenance");

    assertThat(silences(test, finding("gpu", "critical", "reset_gpu"))).isFalse();
    assertThat(silences(test, finding("xid", "warning", "watch"))).isFalse();
    assertThat(silences(finding("xid", "critical", "replace_node"), milderTest)).isFalse();
    assertThat(silences(test, milderTest)).isTrue();
    assertThat(silences(maintenance, test)).isFalse();
  }

  @Test
  void aFindingOnManyNodesSilencesTheAlertOfThatFinding() {
    List<String> wrong = new ArrayList<>();
    for (Rule alert : Shipped.rules().alerts()) {
      if (alert.file().equals("fleet.yml") || OF_MANY_RULES.contains(alert.name())) {
        continue;
      }
      Map<String, String> part = labels("alertname", alert.name(), "cluster", "c");
      for (String rule : rulesOf(alert)) {
        if (!silences(labels("alertname", MANY, "cluster", "c", "rule", rule), part)) {
          wrong.add(MANY + " of " + rule + " does not silence " + alert.name());
        }
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(
            silences(
                labels("alertname", MANY, "cluster", "c", "rule", "efa_retransmits"),
                labels("alertname", "LapwingLustreSlow", "cluster", "c")))
        .isFalse();
  }

  @Test
  void anActionOnManyNodesSilencesTheCoreAlertOfThatAction() {
    Map<String, String> held = labels("alertname", MANY, "cluster", "c", "held", "reboot_node");

    assertThat(silences(held, labels("alertname", "LapwingNodeReboot", "cluster", "c"))).isTrue();
    assertThat(silences(held, labels("alertname", "LapwingNodeReplace", "cluster", "c"))).isFalse();
    assertThat(silences(held, labels("alertname", "LapwingNodeReboot", "cluster", "d"))).isFalse();
    held.put("held", "replace_node");
    assertThat(silences(held, labels("alertname", "LapwingNodeReplace", "cluster", "c"))).isTrue();
    held.put("held", "reset_gpu");
    assertThat(silences(held, labels("alertname", "LapwingGpuReset", "cluster", "c"))).isTrue();
  }

  /** The rules that an alert takes by name. */
  private static Set<String> rulesOf(Rule alert) {
    Set<String> rules = new TreeSet<>();
    Filters.makers(alert.query())
        .filter(selector -> selector.metric().equals("lapwing_health_finding"))
        .flatMap(selector -> selector.matchers().stream())
        .filter(matcher -> matcher.label().equals("rule") && !matcher.operator().startsWith("!"))
        .filter(matcher -> matcher.value().matches("[a-z_|]+"))
        .forEach(
            matcher -> Pattern.compile("\\|").splitAsStream(matcher.value()).forEach(rules::add));
    return rules;
  }

  @Test
  void noCircleOfAlertsSilencesItself() {
    List<Map<String, String>> all = possible();
    Map<Integer, Set<Integer>> silenced = new LinkedHashMap<>();
    for (int one = 0; one < all.size(); one++) {
      Map<String, String> source = all.get(one);
      List<Inhibition> matching =
          inhibitions.stream().filter(rule -> rule.appliesTo(source)).toList();
      Set<Integer> others = new HashSet<>();
      for (int other = 0; other < all.size(); other++) {
        Map<String, String> target = all.get(other);
        if (matching.stream().anyMatch(rule -> rule.silences(source, target))) {
          others.add(other);
        }
      }
      silenced.put(one, others);
    }
    // An alert that inhibits none of the remaining ones is not part of a cycle.
    boolean less = true;
    while (less) {
      less = silenced.values().removeIf(Set::isEmpty);
      silenced.values().forEach(others -> others.retainAll(silenced.keySet()));
    }
    assertThat(silenced.keySet().stream().map(all::get)).isEmpty();
  }

  /** Every alert on one node of one cluster with every severity and action it may have. */
  private static List<Map<String, String>> possible() {
    List<Map<String, String>> all = new ArrayList<>();
    Catalogue catalogue = Catalogue.of(Shipped.ROOT);
    List<Rule> alerts = Shipped.sets().flatMap(set -> set.alerts().stream()).toList();
    for (Rule alert : alerts) {
      Set<String> ofSeries = catalogue.labels(alert.query());
      for (String severity : values(alert, "severity")) {
        for (String action : values(alert, "action")) {
          Map<String, String> labels =
              labels("alertname", alert.name(), "severity", severity, "action", action);
          labels.put("scope", alert.labels().getOrDefault("scope", ""));
          labels.put("cluster", "c");
          if (ofSeries.contains("instance")) {
            labels.put("instance", "n");
          }
          if (ofSeries.contains("rule")) {
            labels.put("rule", "efa_retransmits");
          }
          if (ofSeries.contains("held")) {
            labels.put("held", "replace_node");
          }
          all.add(labels);
        }
      }
    }
    return all;
  }

  private static List<String> values(Rule alert, String label) {
    String fixed = alert.labels().get(label);
    return fixed == null || fixed.contains("{{")
        ? List.copyOf(RuleLint.LABELS.getOrDefault(label, Set.of()))
        : List.of(fixed);
  }

  @Test
  void ampSilencesTheSame() throws Exception {
    assertThat(Routing.inhibitions(Routing.ampConfiguration()))
        .isEqualTo(Routing.inhibitions(Routing.alertmanager()));
  }
}
