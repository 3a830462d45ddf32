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
 * A device whose signs of life stand still. How often they come is written nowhere, so a device is
 * measured by its siblings and by its own mean since boot.
 */
final class EfaKeepAlive implements EfaDeviceRule {

  private static final String WINDOW_SECONDS = "window_seconds";
  private static final String BEATS = "beats";

  private static final RuleSpec SPEC =
      new RuleSpec(
          "efa_keep_alive",
          "The signs of life of an EFA device stand still.",
          "The device sends them by itself, and the state of its port is a constant of the driver: there is no other sign that its firmware runs.",
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
                  "For how long none may have come; a choice of Lapwing's, since the period is not documented."),
              new Threshold(
                  BEATS,
                  10,
                  2,
                  1_000,
                  "signs of life",
                  "How many should have come in that time, by the mean of a sibling in the same time or of the device itself since boot, before none counts; a choice of Lapwing's.")));

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
  public Optional<Detection> judge(PartStatus device, NodeSnapshot view, RulePolicy policy) {
    Duration window = Duration.ofSeconds((long) policy.threshold(WINDOW_SECONDS));
    boolean still =
        EfaRule.deviceGrown(device, view, EfaMetrics.KEEP_ALIVES, window).orElse(1) == 0;
    return still && expected(device, view, window) >= policy.threshold(BEATS)
        ? Optional.of(
            Detection.now(
                SPEC,
                policy,
                device.subject(),
                "sent no sign of life in the last " + RuleText.duration(window),
                EfaMetrics.KEEP_ALIVES.name()))
        : Optional.empty();
  }

  private static double expected(PartStatus device, NodeSnapshot view, Duration window) {
    double ofSiblings =
        EfaRule.answering(view).stream()
            .flatMapToDouble(
                sibling ->
                    EfaRule.deviceGrown(sibling, view, EfaMetrics.KEEP_ALIVES, window).stream())
            .max()
            .orElse(0);
    return Math.max(ofSiblings, ownMean(device, view) * window.toSeconds());
  }

  /** A second, since boot; the count began later where the driver was loaded later. */
  private static double ownMean(PartStatus device, NodeSnapshot view) {
    double all = device.values().get(EfaMetrics.KEEP_ALIVES).orElse(0);
    return view.history()
        .lastBoot()
        .map(boot -> all / Math.max(1, Duration.between(boot, view.now()).toSeconds()))
        .orElse(0.0);
  }
}
