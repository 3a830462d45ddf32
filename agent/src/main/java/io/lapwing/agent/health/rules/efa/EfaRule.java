package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Urgency;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** A rule on EFA devices. */
interface EfaRule extends HealthRule {

  Disposition WATCH = Disposition.degraded(Action.WATCH, Urgency.JOB_END);

  /** The window over which increases are evaluated. */
  Duration WINDOW = Duration.ofMinutes(5);

  /** A device has one port; its counters carry this label after the device's name. */
  String PORT = "1";

  @Override
  default String kind() {
    return EfaSource.KIND;
  }

  static List<PartStatus> answering(NodeSnapshot view) {
    return view.parts(EfaSource.KIND).stream().filter(PartStatus::answers).toList();
  }

  /** The increase of a port counter within a window; empty if unknown. */
  static OptionalDouble grown(
      PartStatus device, NodeSnapshot view, Metric counter, Duration window) {
    return view.trends().increase(device.key(), counter, List.of(PORT), window);
  }

  /** As {@link #grown}, but for a counter of the device. */
  static OptionalDouble deviceGrown(
      PartStatus device, NodeSnapshot view, Metric counter, Duration window) {
    return view.trends().increase(device.key(), counter, List.of(), window);
  }
}
