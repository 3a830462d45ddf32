package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

final class EfaRetransmits implements EfaRule.PerDevice {

  private static final String RATIO = "ratio";
  private static final String SEVERE_RATIO = "severe_ratio";
  private static final String TIMES = "times_median";
  private static final String LEAST_PACKETS = "least_packets";

  private static final double FINEST = 0.01;

  private static final String NETWORK =
      "The other devices of the node retransmit too, or there is no other: the network is busy or the peers are slow, and this device is not at fault.";
  private static final String MILD = "SRD retransmits lost packets; a job is a little slower.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("efa_retransmits")
        .about("An EFA device retransmits a large share of its packets.")
        .why(
            "SRD retransmits lost packets, so the only effect is lower speed; the loss may be anywhere between here and the peers, so only a comparison of many nodes locates it.")
        .document("AWS, EFA counters retrans_pkts and tx_pkts; thresholds are Lapwing's")
        .disposition(Disposition.degraded(Action.WATCH, Urgency.NOW))
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(RATIO, 0.001, 0.000_001, 1, "ratio")
        .meaning(
            "Share of the packets of 5 minutes from which the rule fires; Lapwing's own choice, since no vendor gives one.")
        .threshold(SEVERE_RATIO, 0.01, 0.000_001, 1, "ratio")
        .meaning("Share from which the finding is urgent; Lapwing's own choice.")
        .threshold(TIMES, 3, 1, 1_000, "ratio")
        .meaning(
            "Share of a device divided by the median of the node's other devices, from which the device itself is at fault; below, the network is busy. Lapwing's own choice.")
        .threshold(LEAST_PACKETS, 100_000, 1, 1e12, "packets")
        .meaning(
            "Minimum packets in 5 minutes for a share to be computed; Lapwing's own choice, about a second of a busy device.")
        .needs(EfaMetrics.RETRANSMITTED_PACKETS)
        .trends(EfaMetrics.RETRANSMITTED_PACKETS, EfaMetrics.TX_PACKETS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    double sent = sent(device, view);
    double again = again(device, view);
    if (sent < policy.threshold(LEAST_PACKETS) || again / sent < policy.threshold(RATIO)) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            device.subject(),
            what(again, sent),
            EfaMetrics.RETRANSMITTED_PACKETS,
            EfaMetrics.TX_PACKETS);
    if (!standsOut(device, again / sent, view, policy)) {
      return Optional.of(detection.withForm(Disposition.EXTERNAL, NETWORK));
    }
    return Optional.of(
        again / sent < policy.threshold(SEVERE_RATIO)
            ? detection.withForm(Disposition.WATCH, MILD)
            : detection);
  }

  /** Whether it retransmits several times as much as the median of the node's other devices. */
  private static boolean standsOut(
      PartStatus device, double ratio, NodeSnapshot view, RulePolicy policy) {
    double[] others =
        EfaRule.answering(view).stream()
            .filter(other -> !other.name().equals(device.name()))
            .filter(other -> sent(other, view) >= policy.threshold(LEAST_PACKETS))
            .mapToDouble(other -> again(other, view) / sent(other, view))
            .toArray();
    return others.length > 0 && ratio >= policy.threshold(TIMES) * Median.of(others);
  }

  private static double sent(PartStatus device, NodeSnapshot view) {
    return EfaRule.increase(device, view, EfaMetrics.TX_PACKETS, WINDOW).orElse(0);
  }

  private static double again(PartStatus device, NodeSnapshot view) {
    return EfaRule.increase(device, view, EfaMetrics.RETRANSMITTED_PACKETS, WINDOW).orElse(0);
  }

  private static String what(double again, double sent) {
    return "sent %s of its packets again in the last %s (%s of %s)"
        .formatted(
            percent(again / sent),
            RuleText.duration(WINDOW),
            RuleText.number(again),
            RuleText.number(sent));
  }

  /** Finer than whole percents: one percent is already severe. */
  private static String percent(double ratio) {
    double percent = 100 * ratio;
    return percent < FINEST
        ? "less than " + FINEST + " %"
        : String.format(Locale.ROOT, percent < 1 ? "%.2f %%" : "%.1f %%", percent);
  }
}
