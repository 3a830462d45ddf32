package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A rule that evaluates each answering GPU by itself. */
public interface GpuRule extends HealthRule {

  Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy);

  @Override
  default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Detection> found = new ArrayList<>();
    for (GpuStatus gpu : view.gpus()) {
      if (gpu.answers()) {
        evaluate(gpu, view, policy).ifPresent(found::add);
      }
    }
    return found;
  }

  static List<GpuStatus> answering(NodeSnapshot view) {
    return view.gpus().stream().filter(gpu -> gpu.answers()).toList();
  }

  /** All rules in the order of the documentation: presence, memory, links, speed, settings. */
  static List<HealthRule> all() {
    return List.of(
        new DriverDown(),
        new DriverHung(),
        new GpuMonitoringDisabled(),
        new GpusReleased(),
        new GpusExpected(),
        new GpuCount(),
        new GpuLost(),
        new GpuHung(),
        new RecoveryAction(),
        new UncorrectableEcc(),
        new RowRemapFailure(),
        new MemoryUnrepairable(),
        new RowRemapPending(),
        new RowRemapGrowth(),
        new RemapBanks(),
        new SramThreshold(),
        new InforomCorrupt(),
        new GpuMemorySize(),
        new NvlinkDown(),
        new NvlinkErrors(),
        new FabricState(),
        new FabricHealth(),
        new PcieLink(),
        new ThermalSlowdown(),
        new PowerBrake(),
        new HwSlowdown(),
        new SlowClock(),
        new SlowMemory(),
        new SlowNvlink(),
        new RepeatOffender(),
        new DeepCheck(),
        new DcgmHealth(),
        new EccDisabled(),
        new GpuMetricsUnavailable(),
        new XidEventsUnavailable(),
        new EventLogBroken());
  }
}
