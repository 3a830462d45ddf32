package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Trends;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

final class NvlinkErrors implements GpuRule {

  private static final String REPLAYS = "replays";
  private static final String EVENTS = "events";
  private static final String CRC_RATE = "crc_per_second";

  /**
   * One kind of error. Of its counters, by driver and NVLink version, only the largest increase
   * counts, so that no error counts twice.
   */
  private record Kind(String noun, List<Metric> counters) {}

  /** Nouns of the errors that the link repairs. */
  private static final Set<String> REPAIRING = Set.of("replay", "recovery event");

  /** Errors for which DCGM fails at the first one. */
  private static final List<Kind> GRAVE =
      List.of(
          kind(
              "replay",
              DcgmMetrics.NVLINK_ERROR_DL_REPLAY,
              DcgmMetrics.NVLINK_REPLAY_ERROR_COUNT_TOTAL),
          kind(
              "recovery event",
              DcgmMetrics.NVLINK_ERROR_DL_RECOVERY,
              DcgmMetrics.NVLINK_RECOVERY_ERROR_COUNT_TOTAL,
              DcgmMetrics.NVLINK_COUNT_LINK_RECOVERY_EVENTS),
          kind("failed recovery event", DcgmMetrics.NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS),
          kind("malformed packet", DcgmMetrics.NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS),
          kind("dropped packet", DcgmMetrics.NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS),
          kind("receive error", DcgmMetrics.NVLINK_COUNT_RX_ERRORS),
          kind("remote error", DcgmMetrics.NVLINK_COUNT_RX_REMOTE_ERRORS),
          kind("integrity error", DcgmMetrics.NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS));

  private static final Kind CRC =
      kind(
          "CRC error",
          DcgmMetrics.NVLINK_ERROR_DL_CRC,
          DcgmMetrics.NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL,
          DcgmMetrics.NVLINK_CRC_DATA_ERROR_COUNT_TOTAL);

  private static final String REPAIRED =
      "The link repairs single errors itself; they are reported because they come before a link failure.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("nvlink_errors")
        .about("NVLinks of a GPU had errors in the last 10 minutes.")
        .why(
            "The link retransmitted the lost data, so no data is wrong; a link that keeps doing so is slow, and often goes down later.")
        .document("DCGM health check of NVLink; NVML, fields 161 to 163 and 206 to 221")
        .disposition(Disposition.WATCH)
        .closeAfter(Duration.ofMinutes(1))
        .threshold(EVENTS, 1, 1, 1_000_000, "errors")
        .meaning(
            "Errors of one kind other than CRC in 10 minutes from which the rule fires; DCGM has 1.")
        .threshold(REPLAYS, 10, 1, 1_000_000, "errors")
        .meaning(
            "Replays, or recoveries that succeeded, in 10 minutes that degrade the node; fewer are daily life of a large fleet, and a link also retrains when its peer is reset. Lapwing's own choice.")
        .threshold(CRC_RATE, 100, 0.001, 1_000_000, "errors a second")
        .meaning(
            "CRC errors from which the rule fires, DCGM's limit for a failure; fewer are reported without an effect on the verdict, since the link repairs a single CRC error.")
        .needs(counters())
        .reads(GpuMetrics.NVLINK_ERRORS)
        .trends(counters())
        .build();
  }

  private static Metric[] counters() {
    return Stream.concat(GRAVE.stream(), Stream.of(CRC))
        .flatMap(kind -> kind.counters().stream())
        .toArray(Metric[]::new);
  }

  @Override
  public Optional<Detection> evaluate(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    List<String> grave = new ArrayList<>();
    List<String> repaired = new ArrayList<>();
    for (Kind kind : GRAVE) {
      double errors = grown(kind, gpu, view);
      if (errors >= policy.threshold(EVENTS)) {
        boolean few = REPAIRING.contains(kind.noun()) && errors < policy.threshold(REPLAYS);
        (few ? repaired : grave).add(RuleText.count(errors, kind.noun()));
      }
    }
    double crc = grown(CRC, gpu, view);
    if (crc / Trends.LONGEST.toSeconds() >= policy.threshold(CRC_RATE)) {
      grave.add(RuleText.count(crc, CRC.noun()));
    }
    if (!grave.isEmpty()) {
      grave.addAll(repaired);
      return Optional.of(detection(gpu, grave, policy));
    }
    if (crc >= 1) {
      repaired.add(RuleText.count(crc, CRC.noun()));
    }
    return repaired.isEmpty()
        ? Optional.empty()
        : Optional.of(detection(gpu, repaired, policy).withForm(Disposition.info(), REPAIRED));
  }

  private static double grown(Kind kind, GpuStatus gpu, NodeSnapshot view) {
    double most = 0;
    for (Metric counter : kind.counters()) {
      most = Math.max(most, view.trends().recent(gpu.key(), counter));
    }
    return most;
  }

  private static Detection detection(GpuStatus gpu, List<String> errors, RulePolicy policy) {
    return policy.detection(
        gpu.subject(),
        "NVLink: %s in the last %s%s"
            .formatted(RuleText.list(errors), RuleText.duration(Trends.LONGEST), links(gpu)),
        GpuMetrics.NVLINK_ERRORS);
  }

  /** The links that ever had errors; the driver does not report which of them had the latest. */
  private static String links(GpuStatus gpu) {
    List<Integer> links =
        gpu.values().all(GpuMetrics.NVLINK_ERRORS).entrySet().stream()
            .filter(errors -> errors.getValue() > 0)
            .map(Map.Entry::getKey)
            .map(labels -> Integer.valueOf(labels.get(0)))
            .distinct()
            .sorted()
            .toList();
    return links.isEmpty() ? "" : " (errors so far on " + RuleText.named("link", links) + ")";
  }

  private static Kind kind(String noun, Metric... counters) {
    return new Kind(noun, List.of(counters));
  }
}
