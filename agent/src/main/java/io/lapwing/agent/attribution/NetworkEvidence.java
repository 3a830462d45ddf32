package io.lapwing.agent.attribution;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Optional;

/** EFA: retransmitted packets and unresponsive peers. */
final class NetworkEvidence {

  private static final String PORT = "1";
  private static final double MIN_SHARE = 0.001;
  private static final double MIN_PACKETS = 10_000;

  private static final List<Metric> EVENTS =
      List.of(EfaMetrics.RETRANSMIT_TIMEOUTS, EfaMetrics.UNRESPONSIVE_PEERS);

  static final Evidence.Inputs INPUTS =
      new Evidence.Inputs(
          EfaSource.KIND,
          List.of(),
          List.of(
              EfaMetrics.RETRANSMITTED_PACKETS,
              EfaMetrics.TX_PACKETS,
              EfaMetrics.RETRANSMIT_TIMEOUTS,
              EfaMetrics.UNRESPONSIVE_PEERS));

  List<Evidence> evidence(NodeContext context) {
    return context.answering(INPUTS.kind()).stream()
        .filter(device -> !device.name().isEmpty())
        .flatMap(device -> evidence(device, context).stream())
        .toList();
  }

  private static Optional<Evidence> evidence(PartStatus device, NodeContext context) {
    double sent = context.increase(device.key(), EfaMetrics.TX_PACKETS, PORT);
    double retransmitted = context.increase(device.key(), EfaMetrics.RETRANSMITTED_PACKETS, PORT);
    double events =
        EVENTS.stream().mapToDouble(event -> context.increase(device.key(), event, PORT)).sum();
    if (events > 0) {
      return Optional.of(
          evidence("EFA device " + device.name() + " had peers that did not answer in time"));
    }
    return sent >= MIN_PACKETS && retransmitted >= MIN_SHARE * sent
        ? Optional.of(
            Evidence.of(
                Evidence.Kind.NETWORK,
                "EFA device %s retransmitted %.1f %% of its packets",
                device.name(),
                100 * retransmitted / sent))
        : Optional.empty();
  }

  private static Evidence evidence(String text) {
    return new Evidence(Evidence.Kind.NETWORK, text);
  }
}
