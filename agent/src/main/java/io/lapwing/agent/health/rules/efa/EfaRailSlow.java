package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A device that sends far less than its siblings while the node is busy. */
final class EfaRailSlow implements EfaRule {

  private static final String SHARE = "share_of_median";
  private static final String BUSY = "busy_bytes_per_second";
  private static final String MOST = "most_of_devices";

  /** With two devices there is no majority. */
  private static final int LEAST_DEVICES = 3;

  private static final String UNUSED =
      "A device that sends nothing at all may not be used by the job; one that cannot send has other findings.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("efa_rail_slow")
        .about("An EFA device sends far less than its siblings while the node is busy.")
        .why(
            "A collective operation spreads its data evenly over all rails and waits for the last, so one slow rail slows them all.")
        .document("Lapwing; the EFA plugin for NCCL spreads data over all devices")
        .disposition(Disposition.WATCH)
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(SHARE, 0.5, 0.01, 0.99, "ratio")
        .meaning(
            "Share of what the median device of the node sent in 5 minutes, below which a device is slow; Lapwing's own choice.")
        .threshold(BUSY, 1e8, 1, 1e12, "bytes per second")
        .meaning(
            "Minimum average rate of the median device for the node to be busy; Lapwing's own choice, about one percent of a device's speed.")
        .threshold(MOST, 0.25, 0, 0.5, "ratio")
        .meaning(
            "Share of the devices above which the cause is how the job uses them, not a fault; Lapwing's own choice.")
        .needs(EfaMetrics.TX_BYTES)
        .trends(EfaMetrics.TX_BYTES)
        .build();
  }

  /** Bytes that one device sent within the window. */
  private record Rail(PartStatus device, double bytes) {}

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Rail> rails = rails(view);
    if (rails.size() < LEAST_DEVICES) {
      return List.of();
    }
    double median = Median.lower(rails.stream().mapToDouble(Rail::bytes).toArray());
    List<Rail> slow =
        rails.stream().filter(rail -> rail.bytes() < policy.threshold(SHARE) * median).toList();
    boolean busy = median / WINDOW.toSeconds() >= policy.threshold(BUSY);
    return busy && slow.size() <= policy.threshold(MOST) * rails.size()
        ? slow.stream().map(rail -> detection(rail, median, policy)).toList()
        : List.of();
  }

  private static List<Rail> rails(NodeSnapshot view) {
    List<Rail> rails = new ArrayList<>();
    for (PartStatus device : EfaRule.answering(view)) {
      EfaRule.increase(device, view, EfaMetrics.TX_BYTES, WINDOW)
          .ifPresent(bytes -> rails.add(new Rail(device, bytes)));
    }
    return rails;
  }

  private static Detection detection(Rail rail, double median, RulePolicy policy) {
    double bytes = rail.bytes();
    Detection detection =
        policy.detection(
            rail.device().subject(),
            bytes == 0 ? nothing(median) : little(bytes / median),
            EfaMetrics.TX_BYTES);
    return bytes == 0 ? detection.withForm(Disposition.info(), UNUSED) : detection;
  }

  private static String little(double share) {
    return "sent "
        + RuleText.percent(share)
        + " of what the median device of the node sent in the last "
        + RuleText.duration(WINDOW);
  }

  private static String nothing(double median) {
    return "sent nothing in the last %s, while the median device of the node sent %s MB a second"
        .formatted(RuleText.duration(WINDOW), RuleText.number(median / WINDOW.toSeconds() / 1e6));
  }
}
