package io.lapwing.agent.health.rules.nccl;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.host.EnaSource;
import io.lapwing.host.HostMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** The bytes of the node over ENA, and over all of its EFA devices in both directions. */
record NodeBytes(double received, double sent, double efa) {

  private static final List<String> PORT = List.of("1");

  /** Empty unless all of it is known: an EFA device that does not answer may be the busy one. */
  static Optional<NodeBytes> of(NodeSnapshot view, Duration window) {
    List<PartStatus> devices = view.parts(EfaSource.KIND);
    Optional<PartStatus> ena = view.whole(EnaSource.ENA).filter(PartStatus::answers);
    if (devices.isEmpty() || ena.isEmpty() || !devices.stream().allMatch(PartStatus::answers)) {
      return Optional.empty();
    }
    List<OptionalDouble> efa = new ArrayList<>();
    for (PartStatus device : devices) {
      efa.add(view.trends().increase(device.key(), EfaMetrics.TX_BYTES, PORT, window));
      efa.add(view.trends().increase(device.key(), EfaMetrics.RX_BYTES, PORT, window));
    }
    OptionalDouble received = ena(view, ena.get(), HostMetrics.ENA_RECEIVED, window);
    OptionalDouble sent = ena(view, ena.get(), HostMetrics.ENA_TRANSMITTED, window);
    return received.isPresent()
            && sent.isPresent()
            && efa.stream().allMatch(OptionalDouble::isPresent)
        ? Optional.of(
            new NodeBytes(
                received.getAsDouble(),
                sent.getAsDouble(),
                efa.stream().mapToDouble(OptionalDouble::orElseThrow).sum()))
        : Optional.empty();
  }

  /** The sum of the devices; both counters have the same ones. */
  private static OptionalDouble ena(
      NodeSnapshot view, PartStatus ena, Metric counter, Duration window) {
    return ena.values().all(HostMetrics.ENA_RECEIVED).keySet().stream()
        .map(device -> view.trends().increase(ena.key(), counter, device, window))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .reduce(Double::sum);
  }
}
