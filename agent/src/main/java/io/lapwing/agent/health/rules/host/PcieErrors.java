package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.HostFaultKind;
import java.util.Optional;
import java.util.Set;

/** PCIe errors that a root port reported; fatal ones of a GPU, EFA device or NVMe disk count. */
final class PcieErrors implements HostRule {

  private static final Set<String> DRIVERS = Set.of("nvidia", "efa", "ena", "nvme", "mlx5_core");

  private static final String MILD =
      "The link corrected or contained the error, or the device carries no work; many of them may slow a device down.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("pcie_errors")
        .about(
            "PCIe errors (AER) in the kernel log; only fatal ones of a GPU, a network device or an NVMe disk change the verdict.")
        .why(
            "A fatal error resets the link, and with it the device; work on the device fails. The states of the device decide about the action.")
        .document("Linux, Documentation/PCI/pcieaer-howto.rst")
        .disposition(Disposition.WATCH)
        .threshold(SHOWN, DAY, LEAST_HOURS, MOST_HOURS, "hours")
        .meaning(SHOWN_MEANING)
        .build();
  }

  @Override
  public Set<HostFaultKind> kinds() {
    return HostRule.of(
        HostFaultKind.PCIE_FATAL, HostFaultKind.PCIE_NON_FATAL, HostFaultKind.PCIE_CORRECTED);
  }

  @Override
  public Optional<Detection> evaluate(FaultHistory faults, NodeSnapshot view, RulePolicy policy) {
    FaultHistory fatal =
        faults.of(HostFaultKind.PCIE_FATAL).where(fault -> carriesWork(fault, view));
    return fatal
        .detectionOf(policy, RuleText.count(fatal.times(), "fatal PCIe error") + fatal.ofDevices())
        .or(
            () ->
                faults
                    .detectionOf(
                        policy, RuleText.count(faults.times(), "PCIe error") + faults.ofDevices())
                    .map(detection -> detection.withForm(Disposition.info(), MILD)));
  }

  /** By the driver that the kernel names, or by the address of a GPU, which has no function. */
  private static boolean carriesWork(Event.HostFault fault, NodeSnapshot view) {
    return DRIVERS.contains(fault.component())
        || view.gpus().stream()
            .anyMatch(gpu -> !gpu.pci().isEmpty() && fault.device().startsWith(gpu.pci() + "."));
  }
}
