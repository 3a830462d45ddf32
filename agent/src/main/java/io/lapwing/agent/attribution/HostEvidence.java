package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import io.lapwing.host.HostMetrics;
import io.lapwing.host.PressureSource;
import java.util.ArrayList;
import java.util.List;

/** Pressure stall information: what tasks of this node waited for. */
final class HostEvidence {

  static final Evidence.Inputs INPUTS =
      new Evidence.Inputs(PressureSource.HOST, List.of(), List.of(HostMetrics.PRESSURE));

  /** Higher than the others, because CPU waits are common on a busy node. */
  private static final double MIN_CPU_SHARE = 0.2;

  private static final double MIN_SHARE = 0.1;

  List<Evidence> evidence(NodeContext context) {
    List<Evidence> evidence = new ArrayList<>();
    add(evidence, context, "cpu", Kind.PROCESSORS, "a processor", MIN_CPU_SHARE);
    add(evidence, context, "memory", Kind.MEMORY, "memory", MIN_SHARE);
    add(evidence, context, "io", Kind.DISKS, "storage", MIN_SHARE);
    return evidence;
  }

  private void add(
      List<Evidence> evidence,
      NodeContext context,
      String resource,
      Kind kind,
      String what,
      double min) {
    double share =
        context.increase(INPUTS.kind(), HostMetrics.PRESSURE, resource, "some")
            / NodeContext.WINDOW.toSeconds();
    if (share >= min) {
      evidence.add(
          Evidence.of(kind, "tasks waited for %s in %.0f %% of the time", what, 100 * share));
    }
  }
}
