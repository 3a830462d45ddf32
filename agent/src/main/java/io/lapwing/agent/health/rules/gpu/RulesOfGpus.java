package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.HealthRule;
import java.util.List;

/** The rules that evaluate the state and the counters of GPUs and their driver. */
public final class RulesOfGpus {

  private RulesOfGpus() {}

  /** In the order of the documentation: presence, memory, links, speed, settings. */
  public static List<HealthRule> all() {
    return List.of(
        new DriverDown(),
        new DriverHung(),
        new GpuMonitoringDisabled(),
        new GpusExpected(),
        new GpuCount(),
        new GpuLost(),
        new GpuHung(),
        new RecoveryAction(),
        new UncorrectableEcc(),
        new RowRemapFailure(),
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
        new EccDisabled(),
        new GpuMetricsUnavailable(),
        new XidEventsUnavailable(),
        new EventLogBroken());
  }
}
