package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import java.time.Duration;
import java.util.Optional;

/**
 * A keep-alive counter that has stopped. Its period is undocumented, so devices are compared with
 * siblings and their own mean since boot.
 */
final class EfaKeepAlive implements EfaRule.PerDevice {

  private static final String WINDOW_SECONDS = "window_seconds";
  private static final String BEATS = "beats";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("efa_keep_alive")
        .about("The keep-alive counter of an EFA device has stopped increasing.")
        .why(
            "The device sends keep-alives by itself, and the port state is a constant in the driver: nothing else shows that the firmware runs. After an hour only a reboot starts it again.")
        .document("EFA driver, keep_alive_rcvd")
        .disposition(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END))
        .startsAs(Disposition.WATCH, Duration.ofHours(1))
        .escalates()
        .openAfter(Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(30))
        .threshold(WINDOW_SECONDS, 60, 20, 600, "seconds")
        .meaning(
            "Minimum time without a keep-alive; Lapwing's own choice, since the period is not documented.")
        .threshold(BEATS, 10, 2, 1_000, "keep-alives")
        .meaning(
            "Minimum number of keep-alives expected in that time, by the mean of a sibling in the same time or of the device itself since boot; Lapwing's own choice.")
        .needs(EfaMetrics.KEEP_ALIVES)
        .trends(EfaMetrics.KEEP_ALIVES)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    Duration window = Duration.ofSeconds((long) policy.threshold(WINDOW_SECONDS));
    boolean still =
        EfaRule.deviceIncrease(device, view, EfaMetrics.KEEP_ALIVES, window).orElse(1) == 0;
    return still && expected(device, view, window) >= policy.threshold(BEATS)
        ? Optional.of(
            policy
                .detection(
                    device.subject(),
                    "sent no keep-alive in the last " + RuleText.duration(window),
                    EfaMetrics.KEEP_ALIVES)
                .withGrace(policy.spec(), policy.spec().why()))
        : Optional.empty();
  }

  private static double expected(PartStatus device, NodeSnapshot view, Duration window) {
    double ofSiblings =
        EfaRule.answering(view).stream()
            .flatMapToDouble(
                sibling ->
                    EfaRule.deviceIncrease(sibling, view, EfaMetrics.KEEP_ALIVES, window).stream())
            .max()
            .orElse(0);
    return Math.max(ofSiblings, ownMean(device, view) * window.toSeconds());
  }

  /** Keep-alives a second since boot; an underestimate if the driver was loaded later. */
  private static double ownMean(PartStatus device, NodeSnapshot view) {
    double all = device.values().get(EfaMetrics.KEEP_ALIVES).orElse(0);
    return view.history()
        .lastBoot()
        .map(boot -> all / Math.max(1, Duration.between(boot, view.now()).toSeconds()))
        .orElse(0.0);
  }
}
