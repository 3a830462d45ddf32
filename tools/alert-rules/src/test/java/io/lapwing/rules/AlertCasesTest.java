package io.lapwing.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.lapwing.rules.promql.Promql;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every alert has been seen to fire, to resolve, and to be quiet where it should be. */
class AlertCasesTest {

  /**
   * The expected alerts of one rule test at one time.
   *
   * @param test file and position
   */
  private record Case(String test, String alert, Duration at, boolean fires, boolean annotated) {}

  /** Tests of the core set are in files of this prefix: both sets have alerts of the same name. */
  private static final String CORE = "core_";

  static Stream<Arguments> sets() {
    return Stream.of(Arguments.of(Shipped.rules(), false), Arguments.of(Shipped.core(), true));
  }

  private static List<Case> cases(boolean core) throws Exception {
    List<Case> cases = new ArrayList<>();
    YAMLMapper yaml = new YAMLMapper();
    for (Path file : RuleFiles.paths(Shipped.RULES.resolve("tests"))) {
      if (file.getFileName().toString().startsWith(CORE) != core) {
        continue;
      }
      int position = 0;
      for (JsonNode test : yaml.readTree(file.toFile()).path("tests")) {
        String place = file.getFileName() + " " + position++;
        for (JsonNode one : test.path("alert_rule_test")) {
          JsonNode alerts = one.path("exp_alerts");
          cases.add(
              new Case(
                  place,
                  one.path("alertname").asText(),
                  Promql.duration(one.path("eval_time").asText()),
                  !alerts.isEmpty(),
                  alerts.valueStream().allMatch(alert -> alert.has("exp_annotations"))));
        }
      }
    }
    return cases;
  }

  /** Those of the core set that are the same as in the detailed one are tested there. */
  private static Set<String> alerts(RuleFiles set, boolean core) {
    Set<String> names = new TreeSet<>();
    set.alerts().forEach(alert -> names.add(alert.name()));
    if (core) {
      Shipped.rules().alerts().stream()
          .filter(alert -> !CoreRulesTest.APART.contains(alert.name()))
          .forEach(alert -> names.remove(alert.name()));
    }
    return names;
  }

  /** The cases of one alert, by test, in order of time. */
  private static Collection<List<Case>> tests(List<Case> cases, String alert) {
    return cases.stream()
        .filter(one -> one.alert().equals(alert))
        .sorted(Comparator.comparing(Case::at))
        .collect(Collectors.groupingBy(Case::test))
        .values();
  }

  /** LapwingWatchdog never stops, that is its use. */
  private static boolean ends(String alert) {
    return !alert.equals("LapwingWatchdog");
  }

  private static boolean resolves(List<Case> test) {
    return test.stream().dropWhile(one -> !one.fires()).anyMatch(one -> !one.fires());
  }

  private static Set<String> without(RuleFiles set, boolean core, Predicate<List<Case>> test)
      throws Exception {
    List<Case> cases = cases(core);
    Set<String> without = alerts(set, core);
    assertThat(without).isNotEmpty();
    without.removeIf(alert -> tests(cases, alert).stream().anyMatch(test));
    return without;
  }

  @ParameterizedTest
  @MethodSource("sets")
  void everyAlertFiresInATestWithItsWholeText(RuleFiles set, boolean core) throws Exception {
    assertThat(
            without(
                set, core, test -> test.stream().anyMatch(one -> one.fires() && one.annotated())))
        .isEmpty();
  }

  @ParameterizedTest
  @MethodSource("sets")
  void everyAlertResolvesInATestInWhichItFired(RuleFiles set, boolean core) throws Exception {
    assertThat(without(set, core, AlertCasesTest::resolves)).noneMatch(AlertCasesTest::ends);
  }

  /** In a test in which it never fires, or in one before it fires: a decoy, a restart, a gap. */
  @ParameterizedTest
  @MethodSource("sets")
  void everyAlertIsQuietWhereItShouldBe(RuleFiles set, boolean core) throws Exception {
    assertThat(
            without(
                set,
                core,
                test -> test.stream().findFirst().filter(one -> !one.fires()).isPresent()))
        .noneMatch(AlertCasesTest::ends);
  }
}
