package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

public interface EfaRule extends HealthRule {

  /** The window over which increases are evaluated. */
  Duration WINDOW = Duration.ofMinutes(5);

  /** A device has one port; its counters carry this label after the device's name. */
  String PORT = "1";

  List<String> OF_PORT = List.of(PORT);

  @Override
  default String kind() {
    return EfaSource.KIND;
  }

  static List<PartStatus> answering(NodeSnapshot view) {
    return view.answering(EfaSource.KIND);
  }

  /** The increase of a port counter within a window; empty if unknown. */
  static OptionalDouble increase(
      PartStatus device, NodeSnapshot view, Metric counter, Duration window) {
    return view.trends().increase(device.key(), counter, OF_PORT, window);
  }

  /** As {@link #increase}, but for a counter of the device. */
  static OptionalDouble deviceIncrease(
      PartStatus device, NodeSnapshot view, Metric counter, Duration window) {
    return view.trends().increase(device.key(), counter, List.of(), window);
  }

  /** All rules in the order of the documentation: presence, the device, the network, speed. */
  static List<HealthRule> all() {
    return List.of(
        new EfaCount(),
        new EfaMetricsUnavailable(),
        new EfaAdminCommands(),
        new EfaKeepAlive(),
        new EfaRetransmits(),
        EfaEvents.timeouts(),
        EfaEvents.unresponsivePeers(),
        EfaEvents.impairedPeers(),
        EfaRequestErrors.ofReads(),
        EfaRequestErrors.ofWrites(),
        new EfaRailSlow());
  }

  /** A rule that evaluates each answering EFA device by itself. */
  interface PerDevice extends EfaRule {

    Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy);

    @Override
    default List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
      List<Detection> found = new ArrayList<>();
      for (PartStatus device : EfaRule.answering(view)) {
        evaluate(device, view, policy).ifPresent(found::add);
      }
      return found;
    }
  }
}
