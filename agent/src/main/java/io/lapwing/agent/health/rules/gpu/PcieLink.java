package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** A PCIe link that is narrower or slower than it could be, or that has errors. */
final class PcieLink implements GpuRule {

  /** Lanes that are missing for this long do not come back by themselves. */
  private static final Duration LASTING = Duration.ofHours(1);

  private static final String ERRORS =
      "Transfers to and from the host are slow; no data is lost while the link repairs its errors. Whether the slot or the GPU is at fault is unknown.";

  private static final String BUSY = "busy_percent";
  private static final String REPLAYS = "replays_per_minute";
  private static final String FATAL = "fatal_errors";
  private static final String NON_FATAL = "non_fatal_errors";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("pcie_link")
        .about("The PCIe link of a GPU is narrower or slower than it could be, or has errors.")
        .why(
            "Transfers to and from the host are slow; no data is lost while the link repairs its errors. Whether the slot or the GPU is at fault is unknown; lanes that are missing for an hour come back with a reboot, or not at all.")
        .document(
            "NVML, nvmlDeviceGetCurrPcieLinkWidth and fields 94 and 173 to 183; DCGM health check of PCIe")
        .disposition(Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END))
        .startsAs(Disposition.WATCH, LASTING)
        .escalates()
        .openAfter(Duration.ofMinutes(1))
        .closeAfter(Duration.ofMinutes(2))
        .threshold(BUSY, 10, 1, 100, "percent")
        .meaning(
            "Utilisation from which the link speed is evaluated, since an idle link slows down to save power; Lapwing's own choice.")
        .threshold(REPLAYS, 32, 1, 1_000_000, "replays a minute")
        .meaning(
            "Replays from which the rule fires: what PCIe's permitted bit error rate, 1e-12, gives for 16 lanes at 32 GT/s in a minute. Older rules use 8; determine what is normal on your own machines.")
        .threshold(FATAL, 1, 1, 1_000_000, "errors")
        .meaning(
            "Fatal errors in 10 minutes from which the rule fires; the link repairs none of them.")
        .threshold(NON_FATAL, 10, 1, 1_000_000, "errors")
        .meaning(
            "Uncorrectable but not fatal errors in 10 minutes from which the rule fires; Lapwing's own choice, since probing a device causes single ones.")
        .needs(
            DcgmMetrics.PCIE_LINK_WIDTH, DcgmMetrics.PCIE_LINK_GEN, DcgmMetrics.PCIE_REPLAY_COUNTER)
        .reads(
            DcgmMetrics.PCIE_MAX_LINK_WIDTH,
            DcgmMetrics.PCIE_MAX_LINK_GEN,
            GpuMetrics.NVSWITCH_LINKS,
            DcgmMetrics.GPU_UTIL,
            DcgmMetrics.PSTATE)
        .trends(DcgmMetrics.PCIE_REPLAY_COUNTER, GpuMetrics.PCIE_ERRORS)
        .build();
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    List<String> parts = new ArrayList<>();
    Optional<String> width =
        below(gpu.values().get(DcgmMetrics.PCIE_LINK_WIDTH), PcieLanes.of(gpu, view))
            .map(lanes -> lanes + " lanes");
    width.ifPresent(parts::add);
    generation(gpu.values(), policy).ifPresent(parts::add);
    replays(gpu, view, policy).ifPresent(parts::add);
    errors(gpu, view, "fatal", policy.threshold(FATAL)).ifPresent(parts::add);
    errors(gpu, view, "non_fatal", policy.threshold(NON_FATAL)).ifPresent(parts::add);
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    Detection detection =
        policy.detection(
            gpu.subject(),
            "PCIe: " + String.join("; ", parts),
            DcgmMetrics.PCIE_LINK_WIDTH,
            DcgmMetrics.PCIE_LINK_GEN,
            DcgmMetrics.PCIE_REPLAY_COUNTER,
            GpuMetrics.PCIE_ERRORS);
    return Optional.of(
        width.isPresent()
            ? detection.withGrace(policy.spec(), policy.spec().why())
            : detection.withForm(Disposition.WATCH, ERRORS));
  }

  private static Optional<String> generation(Values values, RulePolicy policy) {
    boolean busy =
        values.get(DcgmMetrics.GPU_UTIL).orElse(0) >= policy.threshold(BUSY)
            && values.get(DcgmMetrics.PSTATE).orElse(0) == 0;
    return busy
        ? below(values.get(DcgmMetrics.PCIE_LINK_GEN), values.get(DcgmMetrics.PCIE_MAX_LINK_GEN))
            .map(generation -> "generation " + generation + " while the GPU is busy")
        : Optional.empty();
  }

  /** {@code 8 of 16}. */
  private static Optional<String> below(OptionalDouble now, OptionalDouble most) {
    return now.isPresent() && most.isPresent() && now.getAsDouble() < most.getAsDouble()
        ? Optional.of(
            RuleText.number(now.getAsDouble()) + " of " + RuleText.number(most.getAsDouble()))
        : Optional.empty();
  }

  private static Optional<String> replays(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    double perMinute =
        grown(gpu, view, DcgmMetrics.PCIE_REPLAY_COUNTER, List.of()) / Trends.LONGEST.toMinutes();
    return perMinute >= policy.threshold(REPLAYS)
        ? Optional.of(RuleText.count(perMinute, "replay") + " a minute")
        : Optional.empty();
  }

  private static Optional<String> errors(
      GpuStatus gpu, NodeSnapshot view, String kind, double least) {
    double errors = grown(gpu, view, GpuMetrics.PCIE_ERRORS, List.of(kind));
    return errors >= least
        ? Optional.of(
            RuleText.count(errors, kind.replace('_', '-') + " error")
                + " in the last "
                + RuleText.duration(Trends.LONGEST))
        : Optional.empty();
  }

  private static double grown(
      GpuStatus gpu, NodeSnapshot view, Metric counter, List<String> labels) {
    return view.trends().increase(gpu.key(), counter, labels, Trends.LONGEST).orElse(0);
  }
}
