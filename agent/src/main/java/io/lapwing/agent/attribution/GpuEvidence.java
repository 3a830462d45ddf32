package io.lapwing.agent.attribution;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.LoadClock;
import io.lapwing.agent.health.Median;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/** The GPU of a rank: clock compared to siblings, throttling, errors, idle time. */
final class GpuEvidence {

  static final Evidence.Inputs INPUTS =
      new Evidence.Inputs(
          "gpu",
          List.of(DcgmMetrics.SM_CLOCK, GpuMetrics.CLOCK_EVENT_ACTIVE, GpuMetrics.NVLINK_ERRORS),
          List.of(
              GpuMetrics.SM_ACTIVE_SECONDS,
              GpuMetrics.NVLINK_ERRORS,
              DcgmMetrics.ECC_SBE_VOL_TOTAL,
              DcgmMetrics.ECC_DBE_VOL_TOTAL));

  /** Clock event reasons that are not set by the user. */
  private static final Set<String> THROTTLE_REASONS =
      Set.of("hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake");

  private static final double SLOW_CLOCK_RATIO = 0.95;
  private static final int MIN_SIBLINGS = 2;
  private static final double MIN_CORRECTED = 10;
  private static final double MIN_LINK_ERRORS = 10;

  /** SM-active share below which the GPU counts as idle. */
  private static final double MAX_IDLE_SHARE = 0.5;

  /**
   * The evidence of one GPU.
   *
   * @param instance the id of the rank's MIG instance; empty on a whole GPU, and while unknown
   * @param siblings the other GPUs of the job
   */
  List<Evidence> evidence(
      GpuStatus gpu, String instance, List<GpuStatus> siblings, NodeContext context) {
    List<Evidence> evidence = new ArrayList<>();
    clock(gpu, siblings, evidence);
    throttled(gpu, evidence);
    errors(gpu, context, evidence);
    xids(gpu, instance, context, evidence);
    links(gpu, context, evidence);
    if (instance.isEmpty()) {
      idle(gpu, context, evidence); // the activity of the others does not apply to an instance
    }
    return evidence;
  }

  private static void clock(GpuStatus gpu, List<GpuStatus> siblings, List<Evidence> evidence) {
    double own = gpu.values().get(DcgmMetrics.SM_CLOCK).orElse(Double.NaN);
    double[] others =
        siblings.stream()
            .flatMapToDouble(one -> one.values().get(DcgmMetrics.SM_CLOCK).stream())
            .sorted()
            .toArray();
    if (others.length >= MIN_SIBLINGS
        && own < SLOW_CLOCK_RATIO * Median.of(others)
        && !LoadClock.explains(gpu, siblings)) {
      evidence.add(
          new Evidence(
              Evidence.Kind.SLOW_CLOCK,
              "%s runs at %.0f MHz, its siblings at %.0f MHz"
                  .formatted(gpu.text(), own, Median.of(others)),
              excess -> LoadClock.accountsFor(own, Median.of(others), excess.times())));
    }
  }

  private static void throttled(GpuStatus gpu, List<Evidence> evidence) {
    String reasons =
        gpu.values().all(GpuMetrics.CLOCK_EVENT_ACTIVE).entrySet().stream()
            .filter(reason -> reason.getValue() > 0)
            .map(reason -> reason.getKey().get(0))
            .filter(THROTTLE_REASONS::contains)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!reasons.isEmpty()) {
      evidence.add(new Evidence(Evidence.Kind.GPU, gpu.text() + " is throttled (" + reasons + ")"));
    }
  }

  private static void errors(GpuStatus gpu, NodeContext context, List<Evidence> evidence) {
    double corrected = context.increase(gpu.key(), DcgmMetrics.ECC_SBE_VOL_TOTAL);
    double uncorrected = context.increase(gpu.key(), DcgmMetrics.ECC_DBE_VOL_TOTAL);
    if (uncorrected > 0 || corrected >= MIN_CORRECTED) {
      evidence.add(
          Evidence.of(
              Evidence.Kind.GPU,
              "%s had %.0f ECC errors in that minute",
              gpu.text(),
              corrected + uncorrected));
    }
  }

  private static void xids(
      GpuStatus gpu, String instance, NodeContext context, List<Evidence> evidence) {
    context.findings().stream()
        .filter(finding -> finding.subject().equals(gpu.subject()))
        .filter(finding -> finding.rule().startsWith("xid_"))
        .filter(finding -> !isOfAnotherInstance(gpu, instance, finding, context))
        .map(Finding::rule)
        .findFirst()
        .ifPresent(
            rule ->
                evidence.add(
                    new Evidence(
                        Evidence.Kind.GPU,
                        gpu.text() + " reported XID " + rule.substring("xid_".length()))));
  }

  /**
   * An XID of a MIG instance explains nothing on others. One without an instance counts if it is
   * the last: the GPU may have been divided since.
   */
  private static boolean isOfAnotherInstance(
      GpuStatus gpu, String instance, Finding finding, NodeContext context) {
    String number = finding.rule().replaceFirst("_repeated$", "");
    Instant since = finding.detection().since().orElse(Instant.MIN);
    List<OptionalInt> instances =
        context.view().history().events().stream()
            .filter(Event.Xid.class::isInstance)
            .map(Event.Xid.class::cast)
            .filter(xid -> xid.gpu().equals(gpu.uuid()) && number.equals("xid_" + xid.number()))
            .filter(xid -> !xid.at().isBefore(since))
            .map(Event.Xid::gpuInstance)
            .toList();
    return !instances.isEmpty()
        && instances.get(instances.size() - 1).isPresent()
        && instances.stream()
            .filter(OptionalInt::isPresent)
            .noneMatch(one -> instance.equals(Integer.toString(one.getAsInt())));
  }

  /** Link replays slow the communication within the node. */
  private static void links(GpuStatus gpu, NodeContext context, List<Evidence> evidence) {
    double errors =
        gpu.values().all(GpuMetrics.NVLINK_ERRORS).keySet().stream()
            .mapToDouble(
                labels ->
                    context.increase(
                        gpu.key(), GpuMetrics.NVLINK_ERRORS, labels.toArray(String[]::new)))
            .sum();
    if (errors >= MIN_LINK_ERRORS) {
      evidence.add(
          Evidence.of(
              Evidence.Kind.NETWORK,
              "the NVLinks of %s had %.0f errors in that minute",
              gpu.text(),
              errors));
    }
  }

  private static void idle(GpuStatus gpu, NodeContext context, List<Evidence> evidence) {
    context
        .view()
        .trends()
        .increase(gpu.key(), GpuMetrics.SM_ACTIVE_SECONDS, List.of(), NodeContext.WINDOW)
        .ifPresent(
            active -> {
              double share = active / NodeContext.WINDOW.toSeconds();
              if (share < MAX_IDLE_SHARE) {
                evidence.add(
                    Evidence.of(
                        Evidence.Kind.IDLE_GPU,
                        "the SMs of %s were active in %.0f %% of the time",
                        gpu.text(),
                        100 * share));
              }
            });
  }
}
