package io.lapwing.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HealthSamplesTest {

  private static final HealthSamples.EventLogStatus EVENTS =
      HealthSamples.EventLogStatus.of(true, Map.of("xid", 3L, "started", 1L, "booted", 1L), 0);
  private static final HealthSamples.KernelLogCounts KERNEL =
      new HealthSamples.KernelLogCounts(true, 214, 5);
  private static final Disposition CALL = Disposition.failing(Action.RESET_GPU, Urgency.NOW);

  private final HealthSamples samples = new HealthSamples();

  private Samples of(HealthReport report, HealthSamples.SwitchErrors... errors) {
    return samples.samples(
        report, EVENTS, KERNEL, new HealthSamples.KernelFaults(List.of(errors), Map.of()));
  }

  /** By label values, of one family. */
  private static Map<List<String>, Double> family(Samples samples, Metric metric) {
    Map<List<String>, Double> values =
        new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
    for (int i = 0; i < samples.size(); i++) {
      Series series = samples.series().get(i);
      if (series.metric().equals(metric)) {
        assertThat(metric.labels()).containsSubsequence(series.labels().names());
        assertThat(values.put(series.labels().values(), samples.value(i))).isNull();
      }
    }
    return values;
  }

  @Test
  void exactlyOneVerdictAndOneActionAreOne() {
    Samples page = of(MadeReports.failing());

    assertThat(family(page, HealthMetrics.NODE_VERDICT))
        .isEqualTo(
            Map.of(
                List.of("healthy"), 0.0,
                List.of("degraded"), 0.0,
                List.of("unknown"), 0.0,
                List.of("failing"), 1.0));
    assertThat(family(page, HealthMetrics.NODE_ACTION))
        .isEqualTo(
            Map.of(
                List.of("none"), 0.0,
                List.of("watch"), 0.0,
                List.of("restart_app"), 0.0,
                List.of("restart_service"), 0.0,
                List.of("reset_gpu"), 0.0,
                List.of("reboot_node"), 0.0,
                List.of("replace_node"), 1.0));
    assertThat(family(page, HealthMetrics.GPU_VERDICT))
        .hasSize(8)
        .containsEntry(List.of("0", MadeReports.uuid(0), "degraded"), 1.0)
        .containsEntry(List.of("0", MadeReports.uuid(0), "failing"), 0.0)
        .containsEntry(List.of("3", MadeReports.uuid(3), "failing"), 1.0);
  }

  @Test
  void theUrgencyIsThereOnlyWhileTheNodeRequiresAnAction() {
    assertThat(family(of(MadeReports.failing()), HealthMetrics.NODE_ACTION_URGENCY))
        .isEqualTo(Map.of(List.of("now"), 1.0));
    assertThat(family(of(MadeReports.healthy()), HealthMetrics.NODE_ACTION_URGENCY)).isEmpty();
  }

  @Test
  void eachGpuHasItsEpisodesOfHardwareFaultsAndTheOthersZero() {
    Samples page = of(MadeReports.withHardwareFaults());

    assertThat(family(page, HealthMetrics.GPU_HARDWARE_EPISODES))
        .containsEntry(List.of("0", MadeReports.uuid(0)), 0.0)
        .containsEntry(List.of("1", MadeReports.uuid(1)), 1.0);
    assertThat(family(page, HealthMetrics.GPU_HARDWARE_SCORE))
        .containsEntry(List.of("0", MadeReports.uuid(0)), 0.0)
        .containsEntry(List.of("1", MadeReports.uuid(1)), 2.0);
    assertThat(family(page, HealthMetrics.NODE_HARDWARE_SCORE)).isEqualTo(Map.of(List.of(), 7.0));
  }

  @Test
  void timesAreSecondsOfTheEpoch() {
    Samples page = of(MadeReports.judged(Instant.parse("2026-11-20T05:18:00.250Z")));

    assertThat(family(page, HealthMetrics.EVALUATION).get(List.of())).isEqualTo(1795151880.25);
    assertThat(family(page, HealthMetrics.NODE_VERDICT_SINCE).get(List.of()))
        .isEqualTo((double) MadeReports.FELL.getEpochSecond());
  }

  @Test
  void aFindingNamesItsRuleItsSubjectAndWhatIsToBeDone() {
    Samples page = of(MadeReports.failing());

    assertThat(family(page, HealthMetrics.FINDING))
        .isEqualTo(
            Map.of(
                List.of(
                        "xid_79",
                        "gpu:" + MadeReports.uuid(3),
                        "3",
                        "replace_node",
                        "failing",
                        "GPU has fallen off the bus"),
                    1.0,
                List.of("slow_clocks", "gpu:" + MadeReports.uuid(0), "0", "watch", "degraded"), 1.0,
                List.of("sxid_20009", "nvswitch:nvidia-nvswitch0", "", "none", "info"), 1.0));
    assertThat(family(page, HealthMetrics.FINDING_SINCE))
        .hasSize(3)
        .allSatisfy(
            (labels, since) ->
                assertThat(since).isEqualTo((double) MadeReports.FELL.getEpochSecond()));
  }

  @Test
  void findingsWithTheSameLabelsAreOneSeriesWithTheEarliestStart() {
    Instant earlier = MadeReports.FELL.minusSeconds(60);
    Finding young = MadeReports.finding("link", Subject.NODE, CALL, "link 5");
    Finding old =
        MadeReports.finding("link", Subject.NODE, CALL, "link 7", earlier, MadeReports.JUDGED, 1);

    Samples page = of(MadeReports.with(List.of(young, old)));

    assertThat(family(page, HealthMetrics.FINDING)).hasSize(1);
    assertThat(family(page, HealthMetrics.FINDING_SINCE).values())
        .containsExactly((double) earlier.getEpochSecond());
  }

  @Test
  void theWorstTwoHundredFindingsHaveASeriesAndTheRestIsCounted() {
    List<Finding> many = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      many.add(MadeReports.finding("rule_" + i, Subject.NODE, CALL, "fault " + i));
    }
    many.add(MadeReports.finding("rule_0", Subject.NODE, CALL, "the first again"));

    Samples page = of(MadeReports.with(many));

    assertThat(family(page, HealthMetrics.FINDING))
        .hasSize(200)
        .containsKey(List.of("rule_0", "node", "", "reset_gpu", "failing"))
        .containsKey(List.of("rule_199", "node", "", "reset_gpu", "failing"));
    assertThat(family(page, HealthMetrics.FINDINGS_LEFT_OUT)).containsEntry(List.of(), 800.0);
  }

  @Test
  void theLogsSayHowTheyAreRead() {
    Samples page = of(MadeReports.healthy());

    assertThat(family(page, HealthMetrics.EVENT_LOG_DURABLE)).containsEntry(List.of(), 1.0);
    assertThat(family(page, HealthMetrics.EVENTS))
        .isEqualTo(Map.of(List.of("xid"), 3.0, List.of("started"), 1.0, List.of("booted"), 1.0));
    assertThat(family(page, HealthMetrics.KERNEL_LOG_READABLE)).containsEntry(List.of(), 1.0);
    assertThat(family(page, HealthMetrics.KERNEL_LOG_LOST)).containsEntry(List.of(), 5.0);
    assertThat(family(page, HealthMetrics.KERNEL_LOG_MESSAGES)).containsEntry(List.of(), 214.0);
  }

  @Test
  void switchErrorsAreCountedByDeviceAndNumber() {
    Samples page =
        of(
            MadeReports.healthy(),
            new HealthSamples.SwitchErrors("nvidia-nvswitch1", 20009, false, 4, MadeReports.FELL),
            new HealthSamples.SwitchErrors("nvidia-nvswitch0", 23001, true, 1, MadeReports.JUDGED));

    assertThat(family(page, HealthMetrics.NVSWITCH_SXID_ERRORS))
        .isEqualTo(
            Map.of(
                List.of("nvidia-nvswitch0", "23001", "true"), 1.0,
                List.of("nvidia-nvswitch1", "20009", "false"), 4.0));
    assertThat(family(page, HealthMetrics.NVSWITCH_SXID_LAST_SEEN))
        .containsEntry(
            List.of("nvidia-nvswitch1", "20009", "false"),
            (double) MadeReports.FELL.getEpochSecond());
  }

  @Test
  void whileNothingChangesTheSeriesAreTheVerySameObject() {
    HealthSamples.SwitchErrors one =
        new HealthSamples.SwitchErrors("nvidia-nvswitch0", 23001, true, 1, MadeReports.FELL);
    HealthSamples.SwitchErrors two =
        new HealthSamples.SwitchErrors("nvidia-nvswitch1", 23001, true, 1, MadeReports.FELL);
    Samples first = of(MadeReports.failing(), one, two);
    Samples second = of(MadeReports.judged(MadeReports.JUDGED.plusSeconds(5)), two, one);
    Samples healed = of(MadeReports.healthy());

    assertThat(second.series()).isSameAs(first.series());
    assertThat(healed.series()).isNotSameAs(first.series());
  }

  @Test
  void labelsOfClosedFindingsAreDropped() {
    for (int i = 0; i < 10_000; i++) {
      of(MadeReports.with(List.of(MadeReports.finding("rule_" + i, Subject.NODE, CALL, "fault"))));
    }

    assertThat(samples.keptLabels()).isLessThan(4200);
  }

  @Test
  void lostTrainingTimeIsExposedByCause() {
    Samples page = of(MadeReports.slow());
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < page.size(); i++) {
      if (page.series().get(i).metric().equals(HealthMetrics.TRAINING_LOST)) {
        lines.add(page.series().get(i).labels().values() + " " + page.value(i));
      }
    }
    assertThat(lines).containsExactly("[4711, llama, 3, 3, 3, gpu] 112.5");
  }

  @Test
  void aFindingThatNvmlDidNotConfirmIsMarked() {
    Finding real = MadeReports.finding("xid_79", Subject.NODE, CALL, "a fault");
    Finding doubtful =
        new Finding(
            real.detection().unconfirmed("NVML has not confirmed it"), real.since(), real.last());
    Samples page = of(MadeReports.with(List.of(doubtful)));

    assertThat(page.series())
        .filteredOn(series -> series.metric().equals(HealthMetrics.FINDING))
        .singleElement()
        .satisfies(
            series -> {
              assertThat(series.labels().names()).endsWith("severity", "confirmed", "xid_name");
              assertThat(series.labels().values()).endsWith("0", "GPU has fallen off the bus");
            });
    assertThat(doubtful.detection().what()).isEqualTo("a fault; NVML has not confirmed it");
  }

  @ParameterizedTest
  @CsvSource({
    "xid_79, GPU has fallen off the bus",
    "xid_31_repeated, MMU page fault",
    "xid_99999, unknown",
    "gpu_lost, ''",
    "sxid_20009, ''",
  })
  void theFindingOfAnXidHasItsName(String rule, String name) {
    Samples page =
        of(MadeReports.with(List.of(MadeReports.finding(rule, Subject.NODE, CALL, "a fault"))));

    assertThat(page.series())
        .filteredOn(series -> series.metric().equals(HealthMetrics.FINDING))
        .singleElement()
        .satisfies(
            series -> {
              Labels labels = series.labels();
              int index = labels.names().indexOf("xid_name");
              assertThat(index < 0 ? "" : labels.values().get(index)).isEqualTo(name);
            });
  }

  @Test
  void aTestFindingIsMarkedAndChangesNoVerdict() {
    HealthReport healthy = MadeReports.healthy();
    Finding test = MadeReports.finding("xid_79", Subject.NODE, CALL, "a test");
    Operations operations =
        new Operations(
            Optional.empty(),
            Optional.empty(),
            List.of(new Operations.Test(test, MadeReports.JUDGED.plusSeconds(300))));

    Samples page = of(MadeReports.during(healthy, operations));

    assertThat(family(page, HealthMetrics.FINDING).keySet())
        .containsExactly(
            List.of(
                "xid_79",
                "node",
                "",
                CALL.action().text(),
                CALL.severity().text(),
                "1",
                "GPU has fallen off the bus"));
    assertThat(family(page, HealthMetrics.NODE_VERDICT)).containsEntry(List.of("healthy"), 1.0);
    assertThat(family(page, HealthMetrics.NODE_ACTION)).containsEntry(List.of("none"), 1.0);
  }

  @Test
  void maintenanceHasItsEndOnlyWhileItIsActive() {
    Instant until = MadeReports.JUDGED.plusSeconds(7_200);
    Operations operations =
        new Operations(
            Optional.of(new Operations.Maintenance(MadeReports.JUDGED, until, "swap PSU")),
            Optional.empty(),
            List.of());

    Samples during = of(MadeReports.during(MadeReports.failing(), operations));
    assertThat(family(during, HealthMetrics.MAINTENANCE)).containsEntry(List.of(), 1.0);
    assertThat(family(during, HealthMetrics.MAINTENANCE_END))
        .containsEntry(List.of(), (double) until.getEpochSecond());

    Samples after = of(MadeReports.failing());
    assertThat(family(after, HealthMetrics.MAINTENANCE)).containsEntry(List.of(), 0.0);
    assertThat(family(after, HealthMetrics.MAINTENANCE_END)).isEmpty();
  }
}
