package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.LoadClock;
import io.lapwing.agent.health.Median;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * A rank that computes longer than its siblings. Steps of synchronous training last equally long,
 * so compute time is compared, among ranks of one pipeline stage.
 */
final class TrainingStraggler implements TrainingRule {

  private static final String RATIO = "times_median";
  private static final String LEAST_RANKS = "least_ranks";
  private static final String LEAST_STEPS = "least_steps";

  private static final Set<String> THROTTLED =
      Set.of("hw_slowdown", "hw_thermal", "hw_power_brake", "sw_thermal");
  private static final double LOW_CLOCK = 0.95;
  private static final Duration RECENT = Duration.ofHours(1);
  private static final String GPU_IS_SLOW = "All other ranks wait for it, and its GPU is slow: %s.";

  /** Half of it has to be measured: a slow rank is named within three minutes of its first step. */
  private static final Duration WINDOW = Duration.ofMinutes(4);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_straggler")
        .about("A rank of a training job computes longer than its siblings on this node.")
        .why(
            "All other ranks wait for it. Its GPU may be slower than its siblings, or its share of the work larger; these figures cannot distinguish the two.")
        .document("Lapwing; compute time of each rank's own steps")
        .disposition(Disposition.WATCH)
        .openAfter(Duration.ofSeconds(10))
        .closeAfter(Duration.ofMinutes(1))
        .threshold(RATIO, 1.15, 1.01, 100, "ratio")
        .meaning(
            "Compute time of a step over 4 minutes divided by the median of the siblings, above which a rank is slow; Lapwing's own choice.")
        .threshold(LEAST_RANKS, 3, 2, 1000, "ranks")
        .meaning(
            "Minimum number of ranks of one job and stage for a comparison; Lapwing's own choice.")
        .threshold(LEAST_STEPS, 10, 1, 1e6, "steps")
        .meaning(
            "Minimum number of steps in 4 minutes for a rank to be compared; Lapwing's own choice.")
        .needs(TrainingMetrics.COMPUTE_SECONDS)
        .reads(
            TrainingMetrics.INFO,
            TrainingMetrics.VERIFIED,
            TrainingMetrics.OWNER,
            GpuMetrics.CLOCK_EVENT_ACTIVE,
            DcgmMetrics.SM_CLOCK)
        .trends(TrainingMetrics.COMPUTE_SECONDS, TrainingMetrics.STEPS)
        .build();
  }

  /** A rank's compute time for a step, in seconds. */
  private record Pace(RankStatus rank, double compute) {}

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Map<List<Object>, List<Pace>> siblings = new LinkedHashMap<>();
    for (RankStatus rank : RankStatus.all(view)) {
      OptionalDouble compute = compute(rank, view, policy);
      if (compute.isPresent()) {
        siblings
            .computeIfAbsent(List.of(rank.siblings(), rank.stage()), unseen -> new ArrayList<>())
            .add(new Pace(rank, compute.getAsDouble()));
      }
    }
    return siblings.values().stream()
        .flatMap(group -> evaluate(group, view, policy).stream())
        .toList();
  }

  private static OptionalDouble compute(RankStatus rank, NodeSnapshot view, RulePolicy policy) {
    OptionalDouble steps = grown(rank, view, TrainingMetrics.STEPS);
    OptionalDouble compute = grown(rank, view, TrainingMetrics.COMPUTE_SECONDS);
    return compute.isPresent() && steps.orElse(0) >= policy.threshold(LEAST_STEPS)
        ? OptionalDouble.of(compute.getAsDouble() / steps.orElse(1))
        : OptionalDouble.empty();
  }

  private static OptionalDouble grown(RankStatus rank, NodeSnapshot view, Metric counter) {
    return view.trends().increase(rank.part().key(), counter, List.of(), WINDOW);
  }

  private static List<Detection> evaluate(List<Pace> group, NodeSnapshot view, RulePolicy policy) {
    if (group.size() < policy.threshold(LEAST_RANKS)) {
      return List.of();
    }
    double median = Median.lower(group.stream().mapToDouble(Pace::compute).toArray());
    return group.stream()
        .filter(pace -> median > 0 && pace.compute() > policy.threshold(RATIO) * median)
        .map(
            pace -> {
              Detection slow = detection(pace, median, group.size(), policy);
              Optional<String> sign = secondSign(pace, median, group, view);
              return sign.isPresent()
                  ? slow.withDisposition(slow.disposition(), GPU_IS_SLOW.formatted(sign.get()))
                  : slow.withForm(Disposition.EXTERNAL, policy.spec().why());
            })
        .toList();
  }

  /** What shows that the GPU of the rank is slow, and not its share of the work larger. */
  private static Optional<String> secondSign(
      Pace pace, double median, List<Pace> group, NodeSnapshot view) {
    Optional<GpuStatus> gpu = view.gpu(pace.rank().uuid()).filter(GpuStatus::answers);
    Instant recent = view.now().minus(RECENT);
    if (gpu.filter(TrainingStraggler::isThrottled).isPresent()) {
      return Optional.of("its clocks are throttled");
    }
    if (gpu.filter(own -> hasLowClock(own, pace.compute() / median, group, view)).isPresent()) {
      return Optional.of("its clock is lower than that of its siblings");
    }
    return view.history().events().stream().anyMatch(event -> isFault(event, pace, recent))
        ? Optional.of("it had memory errors or XIDs in the last hour")
        : Optional.empty();
  }

  private static boolean isThrottled(GpuStatus gpu) {
    return THROTTLED.stream()
        .anyMatch(reason -> gpu.values().isSet(GpuMetrics.CLOCK_EVENT_ACTIVE, reason));
  }

  private static boolean hasLowClock(
      GpuStatus own, double times, List<Pace> group, NodeSnapshot view) {
    List<GpuStatus> all =
        group.stream().flatMap(pace -> view.gpu(pace.rank().uuid()).stream()).toList();
    double[] clocks =
        all.stream()
            .flatMapToDouble(gpu -> gpu.values().get(DcgmMetrics.SM_CLOCK).stream())
            .sorted()
            .toArray();
    double clock = own.values().get(DcgmMetrics.SM_CLOCK).orElse(Double.NaN);
    return clocks.length > 2
        && clock < LOW_CLOCK * Median.of(clocks)
        && LoadClock.accountsFor(clock, Median.of(clocks), times)
        && !LoadClock.explains(own, all);
  }

  private static boolean isFault(Event event, Pace pace, Instant since) {
    String gpu = pace.rank().uuid();
    return event.at().isAfter(since)
        && ((event instanceof Event.Xid xid && xid.gpu().equals(gpu))
            || (event instanceof Event.EccGrowth growth && growth.gpu().equals(gpu)));
  }

  private static Detection detection(Pace pace, double median, int ranks, RulePolicy policy) {
    String gpu = pace.rank().gpu();
    return policy.detection(
        pace.rank().part().subject(),
        "computed %s a step in the last %s, %s times the median of %s of %s ranks of its job on this node%s"
            .formatted(
                TrainingRule.seconds(pace.compute()),
                RuleText.duration(WINDOW),
                String.format(Locale.ROOT, "%.2f", pace.compute() / median),
                TrainingRule.seconds(median),
                ranks,
                gpu.isEmpty() ? "" : "; it runs on " + gpu),
        TrainingMetrics.COMPUTE_SECONDS,
        TrainingMetrics.STEPS);
  }
}
