package io.lapwing.agent.attribution;

import io.lapwing.agent.health.PartStatus;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.Metric;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** EFA: packets sent again, and peers that did not answer. */
final class NetworkEvidence implements EvidenceSource {

  private static final String PORT = "1";
  private static final double LEAST_SHARE = 0.001;
  private static final double LEAST_PACKETS = 10_000;

  private static final List<Metric> EVENTS =
      List.of(EfaMetrics.RETRANSMIT_TIMEOUTS, EfaMetrics.UNRESPONSIVE_PEERS);

  @Override
  public String kind() {
    return EfaSource.KIND;
  }

  @Override
  public List<Metric> reads() {
    return List.of();
  }

  @Override
  public List<Metric> trends() {
    return Stream.concat(
            Stream.of(EfaMetrics.RETRANSMITTED_PACKETS, EfaMetrics.TX_PACKETS), EVENTS.stream())
        .toList();
  }

  List<Evidence> signs(NodeContext scene) {
    return scene.answering(kind()).stream()
        .filter(device -> !device.name().isEmpty())
        .flatMap(device -> sign(device, scene).stream())
        .toList();
  }

  private static Optional<Evidence> sign(PartStatus device, NodeContext scene) {
    double sent = scene.grown(device.key(), EfaMetrics.TX_PACKETS, PORT);
    double again = scene.grown(device.key(), EfaMetrics.RETRANSMITTED_PACKETS, PORT);
    double events =
        EVENTS.stream().mapToDouble(event -> scene.grown(device.key(), event, PORT)).sum();
    if (events > 0) {
      return Optional.of(
          sign("EFA device " + device.name() + " had peers that did not answer in time"));
    }
    return sent >= LEAST_PACKETS && again >= LEAST_SHARE * sent
        ? Optional.of(
            sign(
                String.format(
                    Locale.ROOT,
                    "EFA device %s sent %.1f %% of its packets again",
                    device.name(),
                    100 * again / sent)))
        : Optional.empty();
  }

  private static Evidence sign(String text) {
    return new Evidence(Evidence.Kind.NETWORK, text);
  }
}
