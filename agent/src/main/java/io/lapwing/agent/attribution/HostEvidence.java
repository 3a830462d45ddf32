package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import io.lapwing.host.HostMetrics;
import io.lapwing.host.PressureSource;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Pressure stall information: what tasks of this node waited for. */
final class HostEvidence implements Evidence.EvidenceSource {

  /** Higher than the others, because CPU waits are common on a busy node. */
  private static final double MIN_CPU_SHARE = 0.2;

  private static final double MIN_SHARE = 0.1;

  @Override
  public String kind() {
    return PressureSource.HOST;
  }

  @Override
  public List<Metric> reads() {
    return List.of();
  }

  @Override
  public List<Metric> trends() {
    return List.of(HostMetrics.PRESSURE);
  }

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
        context.increase(kind(), HostMetrics.PRESSURE, resource, "some")
            / NodeContext.WINDOW.toSeconds();
    if (share >= min) {
      evidence.add(
          new Evidence(
              kind,
              String.format(
                  Locale.ROOT, "tasks waited for %s in %.0f %% of the time", what, 100 * share)));
    }
  }
}
