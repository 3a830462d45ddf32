package io.lapwing.agent.health.rules.gpu;

import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.NOW;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.healthy;
import static io.lapwing.agent.health.rules.gpu.NodeSnapshots.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.HostEngineMetrics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DcgmHealthTest {

  private static final Subject GPU_3 = new Subject.Gpu(uuid(3));

  private final DcgmHealth rule = new DcgmHealth();
  private final RuleRun run = new RuleRun(rule);
  private final NodeSnapshots node = healthy();

  private void result(int gpu, String system, String code, double value) {
    node.value(gpu, DcgmMetrics.EXP_GPU_HEALTH_STATUS, value, code, system);
  }

  private static Detection other(String name, Disposition disposition) {
    return new Detection(
        name,
        GPU_3,
        disposition,
        "what",
        "why",
        "document",
        Optional.empty(),
        Optional.empty(),
        1,
        List.of("nvml"));
  }

  private static Detection reset(String name) {
    return other(name, Disposition.degraded(Action.RESET_GPU, Urgency.JOB_END));
  }

  private Disposition beside(List<Detection> others, List<Finding> open) {
    List<Detection> all = new ArrayList<>(others);
    all.add(run.one(node));
    return DcgmHealth.quieted(all, open).get(others.size()).disposition();
  }

  @Test
  void aWatchThatPassesIsNoFinding() {
    result(3, "MEM", "DCGM_FR_OK", 0);
    assertThat(run.aws(node)).isEmpty();
    assertThat(run.aws(healthy())).isEmpty();
  }

  @Test
  void aWatchThatFailedIsDegradedAndAsksForNoRepair() {
    result(3, "MEM", "DCGM_FR_FAULTY_MEMORY", 20);
    Detection detection = run.one(node);
    assertThat(detection.rule()).isEqualTo("dcgm_health_mem");
    assertThat(detection.subject()).isEqualTo(GPU_3);
    assertThat(detection.disposition()).isEqualTo(Disposition.WATCH);
    assertThat(detection.what()).isEqualTo("DCGM's health watch MEM failed: DCGM_FR_FAULTY_MEMORY");
    assertThat(detection.sources()).containsExactly("DCGM_EXP_GPU_HEALTH_STATUS");
  }

  @Test
  void aWarningIsInformation() {
    result(3, "PCIE", "DCGM_FR_PCI_REPLAY_RATE", 10);
    assertThat(run.one(node).disposition()).isEqualTo(Disposition.info());
    assertThat(run.one(node).what())
        .isEqualTo("DCGM's health watch PCIE warns: DCGM_FR_PCI_REPLAY_RATE");
  }

  /** It outlives the repair, and the agent's own rules know whether it was repaired. */
  @Test
  void anXidIsInformation() {
    result(3, "ALL", "DCGM_FR_XID_ERROR", 20);
    assertThat(run.one(node).disposition()).isEqualTo(Disposition.info());
    assertThat(beside(List.of(), List.of())).isEqualTo(Disposition.info());
  }

  @Test
  void eachSystemOfAGpuIsAFindingOfItsOwn() {
    result(3, "MEM", "DCGM_FR_FAULTY_MEMORY", 20);
    result(3, "NVSWITCH_FATAL", "DCGM_FR_NVSWITCH_FATAL_ERROR", 20);
    result(4, "MEM", "DCGM_FR_FAULTY_MEMORY", 20);
    assertThat(run.aws(node))
        .extracting(Detection::rule)
        .containsExactlyInAnyOrder(
            "dcgm_health_mem", "dcgm_health_nvswitch_fatal", "dcgm_health_mem");
    assertThat(rule.spec().findings()).contains("dcgm_health_mem", "dcgm_health_nvswitch_fatal");
  }

  @Test
  void imexIsOneFindingOfTheNodeAndYieldsToTheFabricOfAnyGpu() {
    for (int gpu = 0; gpu < 8; gpu++) {
      result(gpu, "IMEX", "DCGM_FR_IMEX_UNHEALTHY", 20);
      result(gpu, "NVLINK", "DCGM_FR_OK", 0);
    }
    assertThat(run.one(node).rule()).isEqualTo("dcgm_health_imex");
    assertThat(run.one(node).subject()).isEqualTo(Subject.NODE);
    assertThat(run.one(node).disposition()).isEqualTo(Disposition.WATCH);
    assertThat(beside(List.of(reset("fabric_state")), List.of())).isEqualTo(Disposition.info());
    assertThat(beside(List.of(reset("pcie_link")), List.of())).isEqualTo(Disposition.WATCH);

    assertThat(rule.canEvaluate(Subject.NODE, node.view())).isTrue();
    node.value(3, HostEngineMetrics.HEALTH_INFO, 1, "none", "no_data");
    assertThat(rule.canEvaluate(Subject.NODE, node.view())).as("one is not listed").isTrue();
    for (int gpu = 0; gpu < 8; gpu++) {
      node.value(gpu, HostEngineMetrics.HEALTH_INFO, 1, "none", "stale");
    }
    assertThat(rule.canEvaluate(Subject.NODE, node.view())).as("the engine hangs").isFalse();
    NodeSnapshots hung = healthy();
    for (int gpu = 0; gpu < 8; gpu++) {
      hung.state(gpu, PartStatus.State.HUNG);
    }
    assertThat(rule.canEvaluate(Subject.NODE, hung.view())).as("no GPU answers").isFalse();
  }

  @Test
  void besideAnotherFindingWithTheSameCauseItIsInformation() {
    result(3, "NVLINK", "DCGM_FR_NVLINK_DOWN", 20);
    Finding open = new Finding(reset("nvlink_down"), NOW, NOW);
    assertThat(beside(List.of(reset("nvlink_down")), List.of())).isEqualTo(Disposition.info());
    assertThat(beside(List.of(), List.of(open))).as("still open").isEqualTo(Disposition.info());
    assertThat(beside(List.of(reset("xid_74")), List.of())).isEqualTo(Disposition.info());
    assertThat(beside(List.of(), List.of())).isEqualTo(Disposition.WATCH);
    assertThat(beside(List.of(reset("row_remap_pending")), List.of()))
        .as("another cause")
        .isEqualTo(Disposition.WATCH);
    assertThat(beside(List.of(other("nvlink_errors", Disposition.info())), List.of()))
        .as("information explains nothing")
        .isEqualTo(Disposition.WATCH);
  }

  @Test
  void anotherGpusFindingExplainsNothing() {
    result(4, "NVLINK", "DCGM_FR_NVLINK_DOWN", 20);
    assertThat(beside(List.of(reset("nvlink_down")), List.of())).isEqualTo(Disposition.WATCH);
  }

  @Test
  void everyOtherDetectionStaysAsItIs() {
    List<Detection> others = List.of(reset("nvlink_down"), reset("xid_74"));
    assertThat(DcgmHealth.quieted(others, List.of())).isSameAs(others);
    result(3, "NVLINK", "DCGM_FR_NVLINK_DOWN", 20);
    assertThat(DcgmHealth.quieted(List.of(others.get(0), run.one(node)), List.of()).get(0))
        .isSameAs(others.get(0));
  }

  /** Its findings stay open; without DCGM they close. */
  @Test
  void anEngineThatDoesNotAnswerIsNotEvaluated() {
    assertThat(rule.canEvaluate(GPU_3, node.view())).isTrue();
    node.value(3, HostEngineMetrics.HEALTH_INFO, 1, "none", "module_not_loaded");
    assertThat(rule.canEvaluate(GPU_3, node.view())).isFalse();
    assertThat(DcgmHealth.absence(node.view().gpu(uuid(3)).orElseThrow().values()))
        .contains("module_not_loaded");
    NodeSnapshots answering = healthy().value(3, HostEngineMetrics.HEALTH_INFO, 1, "dcgm", "");
    assertThat(rule.canEvaluate(GPU_3, answering.view())).isTrue();
    assertThat(rule.canEvaluate(GPU_3, healthy().state(3, PartStatus.State.HUNG).view())).isFalse();
  }
}
