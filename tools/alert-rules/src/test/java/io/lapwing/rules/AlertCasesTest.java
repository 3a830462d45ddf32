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
import org.junit.jupiter.api.Test;

/** Every alert has been seen to fire, to resolve, and to be quiet where it should be. */
class AlertCasesTest {

  /**
   * The expected alerts of one rule test at one time.
   *
   * @param test file and position
   */
  private record Case(String test, String alert, Duration at, boolean fires, boolean annotated) {}

  private static List<Case> cases() throws Exception {
    assertThat(alerts()).isNotEmpty();
    List<Case> cases = new ArrayList<>();
    YAMLMapper yaml = new YAMLMapper();
    for (Path file : RuleFiles.paths(Shipped.RULES.resolve("tests"))) {
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

  private static Set<String> alerts() {
    Set<String> names = new TreeSet<>();
    Shipped.rules().alerts().forEach(alert -> names.add(alert.name()));
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

  private static Set<String> without(Predicate<List<Case>> test) throws Exception {
    List<Case> cases = cases();
    Set<String> without = alerts();
    without.removeIf(alert -> tests(cases, alert).stream().anyMatch(test));
    return without;
  }

  @Test
  void everyAlertFiresInATestWithItsWholeText() throws Exception {
    assertThat(without(test -> test.stream().anyMatch(one -> one.fires() && one.annotated())))
        .isEmpty();
  }

  @Test
  void everyAlertResolvesInATestInWhichItFired() throws Exception {
    assertThat(without(AlertCasesTest::resolves)).noneMatch(AlertCasesTest::ends);
  }

  /** In a test in which it never fires, or in one before it fires: a decoy, a restart, a gap. */
  @Test
  void everyAlertIsQuietWhereItShouldBe() throws Exception {
    assertThat(without(test -> test.stream().findFirst().filter(one -> !one.fires()).isPresent()))
        .noneMatch(AlertCasesTest::ends);
  }
}
