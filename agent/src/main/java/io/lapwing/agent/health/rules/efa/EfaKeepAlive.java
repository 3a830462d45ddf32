package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Threshold;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A device whose keep-alive counter has stopped. The period is not documented, so a device is
 * compared with its siblings and with its own mean since boot.
 */
final class EfaKeepAlive implements EfaRule.PerDevice {

  private static final String WINDOW_SECONDS = "window_seconds";
  private static final String BEATS = "beats";

  private static final RuleSpec SPEC =
      new RuleSpec(
          "efa_keep_alive",
          "The keep-alive counter of an EFA device has stopped increasing.",
          "The device sends keep-alives by itself, and the port state is a constant in the driver: nothing else shows that the firmware runs.",
          "EFA driver, keep_alive_rcvd",
          WATCH,
          WATCH,
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          List.of(
              new Threshold(
                  WINDOW_SECONDS,
                  60,
                  20,
                  600,
                  "seconds",
                  "Minimum time without a keep-alive; Lapwing's own choice, since the period is not documented."),
              new Threshold(
                  BEATS,
                  10,
                  2,
                  1_000,
                  "keep-alives",
                  "Minimum number of keep-alives expected in that time, by the mean of a sibling in the same time or of the device itself since boot; Lapwing's own choice.")));

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Metric> needs() {
    return trends();
  }

  @Override
  public List<Metric> trends() {
    return List.of(EfaMetrics.KEEP_ALIVES);
  }

  @Override
  public Optional<Detection> evaluate(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    Duration window = Duration.ofSeconds((long) policy.threshold(WINDOW_SECONDS));
    boolean still =
        EfaRule.deviceIncrease(device, view, EfaMetrics.KEEP_ALIVES, window).orElse(1) == 0;
    return still && expected(device, view, window) >= policy.threshold(BEATS)
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                device.subject(),
                "sent no keep-alive in the last " + RuleText.duration(window),
                EfaMetrics.KEEP_ALIVES.name()))
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
