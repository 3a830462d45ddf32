package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.rules.promql.Expr;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Checks of the rule files beyond promtool's. */
class ShippedRulesTest {

  private static final int MOST_RULES_OF_A_GROUP = 20;

  /** The labels that may split an alert. GPUs and devices are named in its description. */
  private static final Set<String> OF_A_NODE =
      Set.of(
          "cluster",
          "instance",
          "instance_id",
          "instance_type",
          "action",
          "severity",
          "job",
          "job_id",
          "hostname",
          "test",
          "confirmed");

  static Stream<RuleFiles> sets() {
    return Shipped.sets();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void noRuleHasAMistake(RuleFiles set) {
    RuleLint lint = new RuleLint(Catalogue.of(Shipped.ROOT));

    assertThat(set.rules()).flatExtracting(lint::problems).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void alertsAreOfANodeAndNotOfItsParts(RuleFiles set) {
    Catalogue catalogue = Catalogue.of(Shipped.ROOT);

    List<String> wrong = new ArrayList<>();
    for (Rule alert : set.alerts()) {
      Set<String> labels = new TreeSet<>(catalogue.labels(alert.query()));
      boolean node = labels.contains("instance");
      labels.removeAll(OF_A_NODE);
      if (node && !labels.isEmpty()) {
        wrong.add(alert.place() + " is also by " + labels);
      }
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void groupsAreSmallAndHaveANameOfTheirOwn(RuleFiles set) {
    List<RuleGroup> groups = set.groups();

    assertThat(groups)
        .allSatisfy(
            group ->
                assertThat(group.rules())
                    .as(group.file() + ", group " + group.name())
                    .hasSizeBetween(1, MOST_RULES_OF_A_GROUP));
    assertThat(groups).extracting(RuleGroup::name).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void nothingIsSaidTwice(RuleFiles set) {
    assertThat(set.rules())
        .extracting(rule -> rule.name() + rule.labels() + (rule.alert() ? rule.expr() : ""))
        .doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void eachAlertIsInOneFile(RuleFiles set) {
    assertThat(
            set.alerts().stream()
                .collect(
                    Collectors.groupingBy(
                        Rule::name, Collectors.mapping(Rule::file, Collectors.toSet()))))
        .allSatisfy((alert, files) -> assertThat(files).as(alert).hasSize(1));
  }

  @ParameterizedTest
  @MethodSource("sets")
  void whatAnAlertReadsIsRecordedBeforeItInItsGroup(RuleFiles set) {
    Set<String> recorded = new TreeSet<>();
    set.recordings().forEach(rule -> recorded.add(rule.name()));
    List<String> wrong = new ArrayList<>();
    for (RuleGroup group : set.groups()) {
      Set<String> before = new HashSet<>();
      for (Rule rule : group.rules()) {
        if (rule.alert()) {
          rule.query()
              .selectors()
              .map(Expr.Selector::metric)
              .filter(metric -> recorded.contains(metric) && !before.contains(metric))
              .forEach(metric -> wrong.add(rule.place() + " reads " + metric));
        } else {
          before.add(rule.name());
        }
      }
    }
    assertThat(wrong).isEmpty();
  }
}
