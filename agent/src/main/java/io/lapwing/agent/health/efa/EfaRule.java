package io.lapwing.agent.health.efa;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeView;
import io.lapwing.agent.health.PartNow;
import io.lapwing.agent.health.Urgency;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** A rule of EFA devices. */
interface EfaRule extends HealthRule {

  Call WATCH = Call.degraded(Action.WATCH, Urgency.JOB_END);

  /** Over which growth is judged. */
  Duration WINDOW = Duration.ofMinutes(5);

  /** A device has one port, and its counters this label behind the name of the device. */
  String PORT = "1";

  @Override
  default String kind() {
    return EfaSource.KIND;
  }

  static List<PartNow> answering(NodeView view) {
    return view.parts(EfaSource.KIND).stream().filter(PartNow::answers).toList();
  }

  /** By how much a counter of the port grew within a window; empty where that is not known. */
  static OptionalDouble grown(PartNow device, NodeView view, Metric counter, Duration window) {
    return view.trends().increase(device.key(), counter, List.of(PORT), window);
  }

  /** The same for a counter of the device. */
  static OptionalDouble deviceGrown(
      PartNow device, NodeView view, Metric counter, Duration window) {
    return view.trends().increase(device.key(), counter, List.of(), window);
  }
}
