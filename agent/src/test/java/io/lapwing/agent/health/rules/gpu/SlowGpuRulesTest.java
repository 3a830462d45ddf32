package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SlowGpuRulesTest {

  private static final Instant NOW = Instant.parse("2026-03-01T03:00:00Z");
  private static final double MINUTE = 60;
  private static final double GIGABYTE = 1e9;

  private final RuleRun clock = new RuleRun(new SlowClock());
  private final RuleRun memory = new RuleRun(new SlowMemory());
  private final RuleRun nvlink = new RuleRun(new SlowNvlink());

  /** Eight GPUs that do the same: active SMs, memory in use, traffic over NVLink. */
  private static NodeSnapshots even() {
    NodeSnapshots node = healthy();
    IntStream.range(0, 8)
        .forEach(
            gpu ->
                active(node, gpu, 0.9 + 0.005 * gpu)
                    .grew(gpu, GpuMetrics.DRAM_ACTIVE_SECONDS, 0.4 * 5 * MINUTE)
                    .grew(gpu, GpuMetrics.NVLINK_TX_BYTES, 50 * GIGABYTE * 300)
                    .grew(gpu, GpuMetrics.NVLINK_RX_BYTES, 50 * GIGABYTE * 300));
    return node;
  }

  /** Trends are asked for a minute and for five; the same share of both. */
  private static NodeSnapshots active(NodeSnapshots node, int gpu, double share) {
    return node.grewWithin(gpu, GpuMetrics.SM_ACTIVE_SECONDS, Duration.ofMinutes(1), share * MINUTE)
        .grewWithin(gpu, GpuMetrics.SM_ACTIVE_SECONDS, Duration.ofMinutes(5), share * 5 * MINUTE);
  }

  private static NodeSnapshots slowClock() {
    return even().value(3, DcgmMetrics.SM_CLOCK, 1_500);
  }

  @Test
  void aBusyGpuWithALowClockAndNoReasonIsSlow() {
    Detection detection = clock.aws(slowClock()).get(0);

    assertThat(clock.aws(slowClock())).hasSize(1);
    assertThat(detection.subject()).isEqualTo(new Subject.Gpu(uuid(3)));
    assertThat(detection.what())
        .isEqualTo(
            "its SM clock is 1500 MHz, 76 % of the median of its busy siblings, and it reports no reason");
  }

  @Test
  void aLowClockOfAnHourAsksForAnotherMachineUnderAwsOnly() {
    Detection aws = clock.aws(slowClock()).get(0);
    Detection nvidia = clock.nvidia(slowClock()).get(0);

    assertThat(aws.agedBy(Duration.ZERO).disposition()).isEqualTo(Disposition.WATCH);
    assertThat(aws.agedBy(Duration.ofHours(1)).disposition())
        .isEqualTo(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END));
    assertThat(nvidia.agedBy(Duration.ofHours(1)).disposition()).isEqualTo(Disposition.WATCH);
  }

  @Test
  void anIdleGpuDoesNotEndAFindingThatAsksForAnotherMachine() {
    for (HealthRule rule : List.of(new SlowClock(), new ThermalSlowdown())) {
      RuleRun run = new RuleRun(rule);
      NodeSnapshots idle = active(even(), 3, 0.05);
      assertThat(run.canEvaluate(3, idle)).as("watched").isTrue();

      escalated(rule, idle);
      assertThat(run.canEvaluate(3, idle)).as("to be replaced").isFalse();
      assertThat(run.canEvaluate(3, active(idle, 3, 0.9))).as("busy").isTrue();
    }
  }

  @Test
  void theSitesThresholdDecidesWhichGpuIsBusy() {
    NodeSnapshots node = even();
    IntStream.range(0, 8).forEach(gpu -> active(node, gpu, 0.3));
    escalated(new SlowClock(), node);

    assertThat(clock.canEvaluate(3, node)).isFalse();
    assertThat(clock.with(SlowClock.BUSY, 0.2).canEvaluate(3, node)).isTrue();
  }

  @Test
  void aGpuThatHasNoSiblingsAnyMoreIsNotSlowerThanThem() {
    NodeSnapshots node = even();
    for (int siblings : List.of(1, 2, 3)) {
      node.value(2 + siblings, DcgmMetrics.ENFORCED_POWER_LIMIT, 300);
      active(node, 3, 0.9);
      escalated(new SlowClock(), node);

      assertThat(clock.canEvaluate(3, node)).as("%s", siblings).isTrue();
      assertThat(clock.canEvaluate(3, active(node, 3, 0.05))).as("%s idle", siblings).isFalse();
    }
  }

  private static void escalated(HealthRule rule, NodeSnapshots node) {
    String name = rule.spec().name();
    String gpu = new Subject.Gpu(uuid(3)).text();
    node.happened(new Event.FindingOpened(NOW, NOW, name, gpu, "degraded", "watch", "slow"))
        .happened(new Event.FindingEscalated(NOW, name, gpu, "degraded", "replace_node"));
  }

  @Test
  void aTenthBelowTheMedianIsTolerated() {
    clock.silent(even());
    clock.silent(even().value(3, DcgmMetrics.SM_CLOCK, 1_782));
    assertThat(clock.aws(even().value(3, DcgmMetrics.SM_CLOCK, 1_781))).hasSize(1);
  }

  @Test
  void aReportedReasonExplainsALowClock() {
    for (String reason :
        new String[] {"gpu_idle", "power_cap", "hw_slowdown", "hw_thermal", "hw_power_brake"}) {
      clock.silent(slowClock().value(3, GpuMetrics.CLOCK_EVENT_ACTIVE, 1, reason));
    }
  }

  @Test
  void nothingIsConcludedWithoutTheReasons() {
    clock.silent(slowClock().without(3, GpuMetrics.CLOCK_EVENT_ACTIVE));
    clock.silent(even().without(3, DcgmMetrics.SM_CLOCK));
  }

  @Test
  void anIdleGpuIsNotSlow() {
    clock.silent(active(slowClock(), 3, 0.1));
  }

  @Test
  void aNodeThatIsMostlyIdleIsNotCompared() {
    NodeSnapshots node = slowClock();
    IntStream.range(4, 8).forEach(gpu -> active(node, gpu, 0));
    clock.silent(node);
  }

  @Test
  void gpusWithOtherPowerLimitsOrWithMigAreNotCompared() {
    clock.silent(slowClock().value(3, DcgmMetrics.ENFORCED_POWER_LIMIT, 500));
    clock.silent(slowClock().value(3, DcgmMetrics.MIG_MODE, 1));
  }

  @Test
  void halfOfTheGpusMayBeSlow() {
    NodeSnapshots node = slowClock();
    IntStream.range(4, 7).forEach(gpu -> node.value(gpu, DcgmMetrics.SM_CLOCK, 1_500));
    assertThat(clock.aws(node)).hasSize(4);
    clock.silent(node.value(7, DcgmMetrics.SM_CLOCK, 1_500));
  }

  @Test
  void utilisationCountsWhereActivityIsNotRead() {
    NodeSnapshots node = healthy().value(3, DcgmMetrics.SM_CLOCK, 1_500);
    assertThat(clock.aws(node)).hasSize(1);
    clock.silent(node.value(3, DcgmMetrics.GPU_UTIL, 5));
  }

  @Test
  void aLowMemoryClockIsAWatch() {
    Detection detection = memory.one(even().value(6, DcgmMetrics.MEM_CLOCK, 1_593));

    assertThat(detection.what())
        .isEqualTo(
            "its memory clock is 1593 MHz, 61 % of the median of its busy siblings, and it reports no reason");
    assertThat(detection.disposition()).isEqualTo(Disposition.WATCH);
    memory.silent(even());
  }

  @Test
  void lessUseOfTheMemoryAtTheSameActivityIsSlow() {
    NodeSnapshots node = even().grew(2, GpuMetrics.DRAM_ACTIVE_SECONDS, 0.2 * 5 * MINUTE);

    assertThat(memory.what(node))
        .isEqualTo(
            "its memory was active in 20 % of the last 5 min, that of its equally active siblings in 40 %");
    memory.silent(even().grew(2, GpuMetrics.DRAM_ACTIVE_SECONDS, 0.3 * 5 * MINUTE));
  }

  @Test
  void anUnevenNodeSaysNothingAboutItsMemory() {
    NodeSnapshots stage = even().grew(2, GpuMetrics.DRAM_ACTIVE_SECONDS, 0.2 * 5 * MINUTE);
    memory.silent(active(stage, 2, 0.6));

    NodeSnapshots others = even().grew(2, GpuMetrics.DRAM_ACTIVE_SECONDS, 0.1 * 5 * MINUTE);
    others.grew(5, GpuMetrics.DRAM_ACTIVE_SECONDS, 0.3 * 5 * MINUTE);
    memory.silent(others);
  }

  @Test
  void memoryThatNobodyUsesIsNotCompared() {
    NodeSnapshots node = even();
    IntStream.range(0, 8)
        .forEach(gpu -> node.grew(gpu, GpuMetrics.DRAM_ACTIVE_SECONDS, gpu == 0 ? 5 : 20));
    memory.silent(node);
  }

  @Test
  void lessTrafficOverNvlinkAtTheSameActivityIsSlow() {
    NodeSnapshots node =
        even()
            .grew(7, GpuMetrics.NVLINK_TX_BYTES, 20 * GIGABYTE * 300)
            .grew(7, GpuMetrics.NVLINK_RX_BYTES, 25 * GIGABYTE * 300);

    assertThat(nvlink.what(node))
        .isEqualTo(
            "moved 45000 MB a second over NVLink in the last 5 min, 45 % of the median of its equally active siblings");
    assertThat(nvlink.one(node).disposition()).isEqualTo(Disposition.WATCH);
    nvlink.silent(even());
    nvlink.silent(active(node, 7, 0.6));
  }

  /** The first and the last stage of a pipeline have one neighbour each. */
  @Test
  void theTwoEndsOfAPipelineAreNotSlow() {
    NodeSnapshots node = even();
    for (int end : new int[] {0, 7}) {
      node.grew(end, GpuMetrics.NVLINK_TX_BYTES, 25 * GIGABYTE * 300)
          .grew(end, GpuMetrics.NVLINK_RX_BYTES, 25 * GIGABYTE * 300);
    }
    nvlink.silent(node);
  }

  @Test
  void aGpuThatDoesNotUseNvlinkIsNotSlow() {
    nvlink.silent(
        even().grew(7, GpuMetrics.NVLINK_TX_BYTES, 0).grew(7, GpuMetrics.NVLINK_RX_BYTES, 0));
  }
}
