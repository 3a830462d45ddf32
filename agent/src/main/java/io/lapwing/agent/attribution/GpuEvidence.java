package io.lapwing.agent.attribution;

import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The GPU of a rank: its clock beside its siblings', what holds it back, errors, idleness. */
final class GpuEvidence implements EvidenceSource {

  /** Reasons that hold a clock down against the will of who set it. */
  private static final Set<String> HELD_BACK =
      Set.of("hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake");

  private static final double SLOWER = 0.95;
  private static final int LEAST_SIBLINGS = 2;
  private static final double LEAST_CORRECTED = 10;
  private static final double LEAST_LINK_ERRORS = 10;

  /** Share of a minute; a job that computes keeps its SMs active for most of it. */
  private static final double IDLE = 0.5;

  @Override
  public String kind() {
    return "gpu";
  }

  @Override
  public List<Metric> reads() {
    return List.of(DcgmMetrics.SM_CLOCK, GpuMetrics.CLOCK_EVENT_ACTIVE, GpuMetrics.NVLINK_ERRORS);
  }

  @Override
  public List<Metric> trends() {
    return List.of(
        GpuMetrics.SM_ACTIVE_SECONDS,
        GpuMetrics.NVLINK_ERRORS,
        DcgmMetrics.ECC_SBE_VOL_TOTAL,
        DcgmMetrics.ECC_DBE_VOL_TOTAL);
  }

  /**
   * The signs of one GPU.
   *
   * @param siblings the other GPUs on which ranks of the same job run
   */
  List<Evidence> signs(GpuStatus gpu, List<GpuStatus> siblings, NodeContext scene) {
    List<Evidence> signs = new ArrayList<>();
    clock(gpu, siblings, signs);
    heldBack(gpu, signs);
    errors(gpu, scene, signs);
    xids(gpu, scene, signs);
    links(gpu, scene, signs);
    idle(gpu, scene, signs);
    return signs;
  }

  private static void clock(GpuStatus gpu, List<GpuStatus> siblings, List<Evidence> signs) {
    double own = gpu.values().get(DcgmMetrics.SM_CLOCK).orElse(Double.NaN);
    double[] others =
        siblings.stream()
            .flatMapToDouble(one -> one.values().get(DcgmMetrics.SM_CLOCK).stream())
            .sorted()
            .toArray();
    if (others.length >= LEAST_SIBLINGS && own < SLOWER * Medians.of(others)) {
      signs.add(
          new Evidence(
              Evidence.Kind.GPU,
              String.format(
                  Locale.ROOT,
                  "%s runs at %.0f MHz where its siblings run at %.0f MHz",
                  gpu.text(),
                  own,
                  Medians.of(others))));
    }
  }

  private static void heldBack(GpuStatus gpu, List<Evidence> signs) {
    String reasons =
        gpu.values().all(GpuMetrics.CLOCK_EVENT_ACTIVE).entrySet().stream()
            .filter(reason -> reason.getValue() > 0)
            .map(reason -> reason.getKey().get(0))
            .filter(HELD_BACK::contains)
            .sorted()
            .collect(Collectors.joining(", "));
    if (!reasons.isEmpty()) {
      signs.add(new Evidence(Evidence.Kind.GPU, gpu.text() + " is held back (" + reasons + ")"));
    }
  }

  private static void errors(GpuStatus gpu, NodeContext scene, List<Evidence> signs) {
    double corrected = scene.grown(gpu.uuid(), DcgmMetrics.ECC_SBE_VOL_TOTAL);
    double uncorrected = scene.grown(gpu.uuid(), DcgmMetrics.ECC_DBE_VOL_TOTAL);
    if (uncorrected > 0 || corrected >= LEAST_CORRECTED) {
      signs.add(
          new Evidence(
              Evidence.Kind.GPU,
              String.format(
                  Locale.ROOT,
                  "%s had %.0f ECC errors in that minute",
                  gpu.text(),
                  corrected + uncorrected)));
    }
  }

  private static void xids(GpuStatus gpu, NodeContext scene, List<Evidence> signs) {
    scene.findings().stream()
        .filter(finding -> finding.subject().equals(gpu.subject()))
        .map(Finding::rule)
        .filter(rule -> rule.startsWith("xid_"))
        .findFirst()
        .ifPresent(
            rule ->
                signs.add(
                    new Evidence(
                        Evidence.Kind.GPU,
                        gpu.text() + " reported XID " + rule.substring("xid_".length()))));
  }

  /** A link that repeats slows what the ranks of this node send each other. */
  private static void links(GpuStatus gpu, NodeContext scene, List<Evidence> signs) {
    double errors =
        gpu.values().all(GpuMetrics.NVLINK_ERRORS).keySet().stream()
            .mapToDouble(
                labels ->
                    scene.grown(
                        gpu.uuid(), GpuMetrics.NVLINK_ERRORS, labels.toArray(String[]::new)))
            .sum();
    if (errors >= LEAST_LINK_ERRORS) {
      signs.add(
          new Evidence(
              Evidence.Kind.NETWORK,
              String.format(
                  Locale.ROOT,
                  "the NVLinks of %s had %.0f errors in that minute",
                  gpu.text(),
                  errors)));
    }
  }

  private static void idle(GpuStatus gpu, NodeContext scene, List<Evidence> signs) {
    scene
        .view()
        .trends()
        .increase(gpu.key(), GpuMetrics.SM_ACTIVE_SECONDS, List.of(), NodeContext.WINDOW)
        .ifPresent(
            active -> {
              double share = active / NodeContext.WINDOW.toSeconds();
              if (share < IDLE) {
                signs.add(
                    new Evidence(
                        Evidence.Kind.IDLE_GPU,
                        String.format(
                            Locale.ROOT,
                            "the SMs of %s were active in %.0f %% of the time",
                            gpu.text(),
                            100 * share)));
              }
            });
  }
}
