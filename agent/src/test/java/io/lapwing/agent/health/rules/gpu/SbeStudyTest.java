package io.lapwing.agent.health.rules.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.rules.gpu.SbeStudy.Detector;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Lead;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Luck;
import io.lapwing.agent.health.rules.gpu.SbeStudy.Seeds;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;

/** The robust part of the study, by fixed seeds; {@link SbeTables} prints all of it. */
class SbeStudyTest {

  private static final Luck AWAY = new Luck(step -> step % 576 > 504, step -> false);
  private static final Luck RELOADED = new Luck(step -> false, step -> step % 576 == 0);

  private final SbeStudy study = new SbeStudy(SbeStudy.preset(Map.of()), new Seeds(1, 6));

  private double alarms(LongFunction<ErrorTape> node, Luck luck) {
    return study.alarms(node, luck).getOrDefault(Detector.RULE, Double.NaN);
  }

  private double alarms(LongFunction<ErrorTape> node) {
    return alarms(node, Luck.GOOD);
  }

  private Lead lead(LongFunction<ErrorTape> node, Luck luck) {
    return study
        .leads(node, luck, SbeNodes.START, 1000)
        .getOrDefault(Detector.RULE, new Lead(0, 1, 0, 0));
  }

  @Test
  void strayErrorsNeverAlarm() {
    assertThat(alarms(seed -> SbeNodes.strays(8, 30, 1 / 24.0, seed))).isZero();
  }

  @Test
  void aNodeThatIsNoisyAllOverNeverAlarms() {
    assertThat(alarms(seed -> SbeNodes.noisy(8, 50, 50, 2, seed))).isZero();
  }

  @Test
  void norDoesItsGpuThatIsTwiceAsNoisy() {
    assertThat(alarms(seed -> SbeNodes.noisy(8, 100, 50, 2, seed))).isZero();
  }

  @Test
  void aGpuThatWasAlwaysNoisyIsNoNews() {
    assertThat(alarms(seed -> SbeNodes.noisy(8, 50, 0, 2, seed))).isZero();
  }

  @Test
  void wavesOfTheDayNeverAlarmWithSiblingsOrWithout() {
    assertThat(alarms(seed -> SbeNodes.waves(8, seed))).isZero();
    assertThat(alarms(seed -> SbeNodes.waves(1, seed))).isZero();
  }

  @Test
  void burstsOfMinutesAlarmLessThanOnceInThousandGpuDays() {
    assertThat(alarms(seed -> SbeNodes.bursts(8, 7, seed))).isLessThan(1);
    assertThat(alarms(seed -> SbeNodes.bursts(8, 1, seed))).isLessThan(1);
  }

  @Test
  void gapsOfTheAgentAndReloadsOfTheDriverMakeNoAlarm() {
    assertThat(alarms(seed -> SbeNodes.bursts(8, 7, seed), AWAY)).isLessThan(1);
    assertThat(alarms(seed -> SbeNodes.bursts(8, 7, seed), RELOADED)).isLessThan(1);
  }

  @Test
  void aGpuThatDegradesWithinHoursIsNamedHoursBeforeItsUncorrectableError() {
    Lead lead = lead(seed -> SbeNodes.doubling(8, 4, seed), Luck.GOOD);

    assertThat(lead.early()).isZero();
    assertThat(lead.before()).isGreaterThanOrEqualTo(0.8);
    assertThat(lead.median()).isGreaterThan(8);
  }

  @Test
  void oneThatDegradesWithinADayIsNamedADayBefore() {
    assertThat(lead(seed -> SbeNodes.doubling(8, 12, seed), Luck.GOOD).median()).isGreaterThan(24);
    assertThat(lead(seed -> SbeNodes.doubling(8, 24, seed), Luck.GOOD).median()).isGreaterThan(24);
  }

  @Test
  void itIsNamedWithoutSiblingsAndAfterGapsToo() {
    assertThat(lead(seed -> SbeNodes.doubling(1, 12, seed), Luck.GOOD).median()).isGreaterThan(24);
    assertThat(lead(seed -> SbeNodes.doubling(8, 12, seed), AWAY).median()).isGreaterThan(24);
  }

  @Test
  void aRateThatStaysIsTheUsualOneWithinAWeek() {
    List<Integer> named = study.named(SbeNodes.step(20, 1));

    assertThat(named).isNotEmpty();
    assertThat(named.get(0)).isLessThan(SbeNodes.START + 6 * ErrorTape.PER_HOUR);
    assertThat(named.get(named.size() - 1)).isLessThan(SbeNodes.START + 7 * ErrorTape.PER_DAY);
  }

  @Test
  void theThresholdsInUseAlarmWhereTheRuleDoesNotFire() {
    // Else the tapes would be too tame to show anything.
    Map<Detector, Double> bursts = study.alarms(seed -> SbeNodes.bursts(8, 7, seed), Luck.GOOD);

    assertThat(bursts.get(Detector.TEN_MINUTES)).isGreaterThan(100);
    assertThat(bursts.get(Detector.HOUR)).isGreaterThan(50);
    assertThat(bursts.get(Detector.DAY)).isGreaterThan(50);
  }
}
