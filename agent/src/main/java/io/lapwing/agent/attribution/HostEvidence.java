package io.lapwing.agent.attribution;

import io.lapwing.agent.attribution.Evidence.Kind;
import io.lapwing.host.HostMetrics;
import io.lapwing.host.PressureSource;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The kernel's pressure: what tasks of this node waited for. */
final class HostEvidence implements EvidenceSource {

  /** Some task waits for a processor now and then on any busy node; rarely for the others. */
  private static final double LEAST_PROCESSORS = 0.2;

  private static final double LEAST = 0.1;

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

  List<Evidence> signs(NodeContext scene) {
    List<Evidence> signs = new ArrayList<>();
    add(signs, scene, "cpu", Kind.PROCESSORS, "a processor", LEAST_PROCESSORS);
    add(signs, scene, "memory", Kind.MEMORY, "memory", LEAST);
    add(signs, scene, "io", Kind.DISKS, "storage", LEAST);
    return signs;
  }

  private void add(
      List<Evidence> signs,
      NodeContext scene,
      String resource,
      Kind kind,
      String what,
      double least) {
    double share =
        scene.grown(kind(), HostMetrics.PRESSURE, resource, "some")
            / NodeContext.WINDOW.toSeconds();
    if (share >= least) {
      signs.add(
          new Evidence(
              kind,
              String.format(
                  Locale.ROOT, "tasks waited for %s in %.0f %% of the time", what, 100 * share)));
    }
  }
}
