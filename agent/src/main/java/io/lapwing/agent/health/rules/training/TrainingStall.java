package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.metric.Metric;
import io.lapwing.training.TrainingMetrics;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A loop that finishes no step, since its last step or a later change of phase, if the usual
 * duration is known.
 */
final class TrainingStall implements TrainingRule {

  private static final String TIMES = "times_usual";
  private static final String FLOOR = "floor_seconds";
  private static final String PAUSE_FLOOR = "pause_floor_seconds";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_stall")
        .about("A training loop no longer finishes steps.")
        .why(
            "A stalled loop waits for something that may be on any node or in the program itself, so it does not incriminate this node, whose own faults are separate findings.")
        .document("Lapwing; synchronous training waits for its slowest rank")
        .disposition(Disposition.info())
        .openAfter(Duration.ofSeconds(10))
        .threshold(TIMES, 5, 1, 1000, "ratio")
        .meaning(
            "Usual step durations without a step from which the rule fires; Lapwing's own choice.")
        .threshold(FLOOR, 60, 1, 86_400, "seconds")
        .meaning("Time without a step below which the rule never fires; Lapwing's own choice.")
        .threshold(PAUSE_FLOOR, 1800, 1, 86_400, "seconds")
        .meaning(
            "As before, but while the loop reports an evaluation or a checkpoint; Lapwing's own choice.")
        .needs(TrainingMetrics.LAST_STEP_TIME)
        .reads(
            Stream.concat(
                    StallSigns.READS.stream(),
                    Stream.of(
                        TrainingMetrics.USUAL_STEP,
                        TrainingMetrics.PHASE,
                        TrainingMetrics.PHASE_TIME,
                        TrainingMetrics.INFO,
                        TrainingMetrics.VERIFIED,
                        TrainingMetrics.OWNER))
                .toArray(Metric[]::new))
        .build();
  }

  /** How long a rank has been idle since its last activity, and the usual duration of a step. */
  private record Rest(RankStatus rank, Instant since, double usual, double step, boolean stalled) {}

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Detection> detections = new ArrayList<>();
    RankStatus.byJob(RankStatus.all(view))
        .forEach(
            ranks -> {
              List<Rest> rests =
                  ranks.stream().flatMap(rank -> rest(rank, view, policy).stream()).toList();
              List<Rest> stalled = rests.stream().filter(Rest::stalled).toList();
              if (stalled.size() > 1) {
                detections.add(ofJob(ranks.get(0).job(), stalled, rests.size(), view, policy));
              } else {
                stalled.forEach(rest -> detections.add(ofRank(rest, view, policy)));
              }
            });
    return detections;
  }

  private static Optional<Rest> rest(RankStatus rank, NodeSnapshot view, RulePolicy policy) {
    double usual = rank.value(TrainingMetrics.USUAL_STEP);
    double last = rank.value(TrainingMetrics.LAST_STEP_TIME);
    if (Double.isNaN(usual) || Double.isNaN(last)) {
      return Optional.empty();
    }
    double phase = rank.value(TrainingMetrics.PHASE_TIME);
    Instant since = instant(Double.isNaN(phase) ? last : Math.max(last, phase));
    double floor = policy.threshold(isPause(rank) ? PAUSE_FLOOR : FLOOR);
    double limit = Math.max(floor, policy.threshold(TIMES) * usual);
    double idle = Duration.between(since, view.now()).toMillis() / 1e3;
    return Optional.of(
        new Rest(rank, since, usual, rank.value(TrainingMetrics.LAST_STEP), idle > limit));
  }

  private static boolean isPause(RankStatus rank) {
    return rank.part().values().isSet(TrainingMetrics.PHASE, "checkpoint")
        || rank.part().values().isSet(TrainingMetrics.PHASE, "evaluation");
  }

  private static Instant instant(double seconds) {
    return Instant.ofEpochMilli((long) (seconds * 1e3));
  }

  private static Detection ofRank(Rest rest, NodeSnapshot view, RulePolicy policy) {
    String gpu = rest.rank().gpu();
    return detection(
        rest.rank().part().subject(),
        rest,
        "finished no step in the last "
            + idle(rest, view)
            + figures(rest)
            + (gpu.isEmpty() ? "" : "; it runs on " + gpu)
            + StallSigns.of(List.of(rest.rank()), view),
        view,
        policy);
  }

  /** One finding, however many ranks stall: anybody may start a loop of thousands. */
  private static Detection ofJob(
      String job, List<Rest> all, int ranks, NodeSnapshot view, RulePolicy policy) {
    Rest latest = all.stream().max(Comparator.comparing(Rest::since)).orElseThrow();
    String signs = StallSigns.of(all.stream().map(Rest::rank).toList(), view);
    if (all.size() < ranks) {
      return detection(
          new Subject.Part(TrainingSource.KIND, job),
          latest,
          "%s of its %s ranks here finished no step in the last %s%s: %s%s"
              .formatted(
                  all.size(),
                  ranks,
                  idle(latest, view),
                  figures(latest),
                  StallSigns.named(all, rest -> rest.rank().words()),
                  signs),
          view,
          policy);
    }
    return detection(
        new Subject.Part(TrainingSource.KIND, job),
        latest,
        "none of its %s ranks here finished a step in the last %s%s%s"
            .formatted(all.size(), idle(latest, view), figures(latest), signs),
        view,
        policy);
  }

  private static String idle(Rest rest, NodeSnapshot view) {
    return RuleText.duration(Duration.between(rest.since(), view.now()));
  }

  private static String figures(Rest rest) {
    return " (the last was step %s, one usually takes %s)"
        .formatted(RuleText.number(rest.step()), TrainingRule.seconds(rest.usual()));
  }

  private static Detection detection(
      Subject subject, Rest rest, String what, NodeSnapshot view, RulePolicy policy) {
    return policy
        .detection(subject, what, TrainingMetrics.LAST_STEP_TIME, TrainingMetrics.USUAL_STEP)
        .withTimes(rest.since(), view.now(), 1);
  }
}
