package io.lapwing.agent.actions;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.actions.Runbooks.Entry;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.engine.HealthRules;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RunbooksTest {

  private static final Path RUNBOOKS = Path.of("..", "docs", "runbooks");

  /** Rules whose findings have a number in their name, and so in the table. */
  private static final Set<String> NUMBERED = Set.of("xid", "sxid");

  /** A finding that has another runbook than the others of its rule. */
  private static final String APART = "dcgm_health_imex";

  private static Optional<String> of(String rule, Disposition call) {
    return Runbooks.shipped().of(MadeReports.finding(rule, Subject.NODE, call, "what"));
  }

  @Test
  void everyRuleIsInOneRow() {
    List<String> names = new ArrayList<>();
    Runbooks.shipped().entries().stream()
        .flatMap(entry -> entry.rules().stream())
        .filter(rule -> !rule.equals("*") && !rule.equals(APART))
        .map(rule -> rule.replace("_*", ""))
        .forEach(names::add);
    Set<String> rules = new TreeSet<>();
    HealthRules.specs().stream().map(RuleSpec::name).forEach(rules::add);

    assertThat(names).doesNotHaveDuplicates().containsExactlyInAnyOrderElementsOf(rules);
    assertThat(rules).containsAll(NUMBERED);
  }

  @Test
  void everyRunbookIsThere() {
    assertThat(
            Runbooks.shipped().entries().stream()
                .flatMap((Entry entry) -> Stream.of(entry.runbook(), entry.info()))
                .filter(name -> !name.isEmpty()))
        .isNotEmpty()
        .allSatisfy(name -> assertThat(RUNBOOKS.resolve(name + ".md")).exists());
  }

  @Test
  void theSeverityDecidesForAnXid() {
    Disposition failing = Disposition.failing(Action.REPLACE_NODE, Urgency.NOW);

    assertThat(of("xid_79", failing)).contains("LapwingXid");
    assertThat(of("xid_13", Disposition.info())).contains("LapwingXidApplication");
    assertThat(of("sxid_20009", Disposition.info())).contains("LapwingNvswitchSxid");
    assertThat(of("oom_kill", Disposition.info())).isEmpty();
    assertThat(of(APART, failing)).contains("LapwingImex");
    assertThat(of("dcgm_health_mem", failing)).contains("LapwingGpuDcgmHealth");
    assertThat(of("of_tomorrow", failing)).contains("LapwingNodeFindingUnlisted");
  }
}
