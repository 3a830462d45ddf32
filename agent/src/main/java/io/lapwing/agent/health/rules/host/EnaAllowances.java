package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Values;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.host.EnaSource;
import io.lapwing.host.HostMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A program that sends or receives more than EC2 allows the instance. */
final class EnaAllowances implements HostPartRule {

  private static final String RATE = "packets_per_second";
  private static final Duration WINDOW = Duration.ofMinutes(5);

  /** Connections beyond it are refused: a single packet counts. */
  private static final String CONNTRACK = "conntrack";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("ena_allowance_exceeded")
        .about("The node exceeds an allowance of its EC2 instance's network.")
        .why(
            "EC2 queues or drops the packets; FSx, S3 and the data loader are slow for all of the node. The programs on the node send too much, or a larger instance is needed; the node is well.")
        .document("AWS, Monitor network performance for ENA settings on your EC2 instance")
        .disposition(Disposition.EXTERNAL)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(5))
        .threshold(RATE, 100, 1, 1e9, "packets per second")
        .meaning(
            "Mean of five minutes for one device and allowance; for tracked connections any packet counts. Lapwing's own choice: short bursts exceed an allowance every day.")
        .needs(HostMetrics.ENA_EXCEEDED)
        .trends(HostMetrics.ENA_EXCEEDED)
        .build();
  }

  @Override
  public String kind() {
    return EnaSource.ENA;
  }

  @Override
  public Optional<Detection> evaluate(Values values, NodeSnapshot view, RulePolicy policy) {
    Set<String> words = new TreeSet<>();
    for (var labels : values.all(HostMetrics.ENA_EXCEEDED).keySet()) {
      double packets =
          view.trends().increase(kind(), HostMetrics.ENA_EXCEEDED, labels, WINDOW).orElse(0);
      double least =
          labels.get(1).equals(CONNTRACK) ? 1 : policy.threshold(RATE) * WINDOW.toSeconds();
      if (packets >= least) {
        words.add(
            "%s exceeded %s with %s"
                .formatted(labels.get(0), labels.get(1), RuleText.count(packets, "packet")));
      }
    }
    return words.isEmpty()
        ? Optional.empty()
        : Optional.of(
            policy.detection(
                Subject.NODE,
                "in " + RuleText.duration(WINDOW) + " " + RuleText.list(words),
                HostMetrics.ENA_EXCEEDED));
  }
}
