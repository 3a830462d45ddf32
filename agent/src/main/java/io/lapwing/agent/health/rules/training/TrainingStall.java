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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A loop that finishes no step, since its last step or a later change of phase. */
final class TrainingStall implements TrainingRule {

  static final String TIMES = "times_usual";
  static final String FLOOR = "floor_seconds";
  static final String PAUSE_FLOOR = "pause_floor_seconds";
  private static final String FIRST = "first_steps_seconds";

  /** Of {@link #FIRST}: a first step may compile the model. */
  private static final double WITHOUT_SIGN = 3;

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_stall")
        .about("A training loop no longer finishes steps.")
        .why(
            "A stalled loop waits for something that may be on any node or in the program itself, so it does not indicate a fault of this node, which would have a finding of its own.")
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
            "As before, but while the loop, or another one of the job that it may wait for, reports an evaluation or a checkpoint, and after the loop is over; Lapwing's own choice.")
        .threshold(FIRST, 300, 10, 86_400, "seconds")
        .meaning(
            "Time without a step from which the rule fires in the first steps, while their usual duration is unknown, if something shows which rank the others wait for; otherwise three times as long. Lapwing's own choice.")
        .needs(TrainingMetrics.LAST_STEP_TIME)
        .reads(
            Stream.of(
                    StallSigns.READS,
                    Pauses.READS,
                    List.of(TrainingMetrics.INFO, TrainingMetrics.VERIFIED, TrainingMetrics.OWNER))
                .flatMap(List::stream)
                .distinct()
                .toArray(Metric[]::new))
        .build();
  }

  /**
   * Since when a rank has finished no step.
   *
   * @param usual duration of a step, in seconds; NaN in the first steps
   * @param step the last one; NaN before the first
   */
  private record Rest(RankStatus rank, Instant since, double idle, double usual, double step) {

    boolean isFirst() {
      return Double.isNaN(usual);
    }
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    List<Detection> detections = new ArrayList<>();
    RankStatus.byJob(RankStatus.all(view))
        .forEach(
            ranks -> {
              Pauses pauses = new Pauses(ranks, view, policy);
              List<Rest> rests =
                  ranks.stream()
                      .filter(rank -> !pauses.isDone(rank))
                      .flatMap(rank -> rest(rank, pauses).stream())
                      .toList();
              List<Rest> stalled = stalled(rests, pauses);
              if (stalled.size() > 1) {
                detections.add(ofJob(stalled, rests.size(), ranks, view, policy));
              } else {
                stalled.forEach(rest -> detections.add(ofRank(rest, ranks, view, policy)));
              }
            });
    return detections;
  }

  /** In the first steps only of a loop that trains: others may never have any. */
  private static Optional<Rest> rest(RankStatus rank, Pauses pauses) {
    double usual = rank.value(TrainingMetrics.USUAL_STEP);
    if (Double.isNaN(usual) && !Pauses.isIn(rank, "training")) {
      return Optional.empty();
    }
    return Stream.of(TrainingMetrics.LAST_STEP_TIME, TrainingMetrics.PHASE_TIME)
        .map(rank::value)
        .filter(time -> !Double.isNaN(time))
        .max(Comparator.naturalOrder())
        .map(Pauses::instant)
        .map(own -> pauses.lastEnd(rank).filter(own::isBefore).orElse(own))
        .map(
            since ->
                new Rest(
                    rank,
                    since,
                    pauses.seconds(since),
                    usual,
                    rank.value(TrainingMetrics.LAST_STEP)));
  }

  /** Of one job. */
  private static List<Rest> stalled(List<Rest> rests, Pauses pauses) {
    List<Rest> early = idle(rests, true, pauses);
    boolean sign =
        early.stream().noneMatch(Rest::isFirst)
            || StallSigns.any(
                early.stream().map(Rest::rank).toList(), pauses.ranks(), pauses.view());
    List<Rest> idle = sign ? early : idle(early, false, pauses);
    boolean none = idle.size() == rests.size();
    return idle.stream().filter(rest -> none || !pauses.isBesideSteps(rest.rank())).toList();
  }

  private static List<Rest> idle(List<Rest> rests, boolean sign, Pauses pauses) {
    return rests.stream()
        .filter(rest -> rest.idle() > limit(rest, sign, pauses))
        .filter(rest -> !pauses.isHeld(rest.rank()))
        .toList();
  }

  private static double limit(Rest rest, boolean sign, Pauses pauses) {
    return rest.isFirst()
        ? pauses.policy().threshold(FIRST) * (sign ? 1 : WITHOUT_SIGN)
        : pauses.limit(rest.rank());
  }

  private static Detection ofRank(
      Rest rest, List<RankStatus> here, NodeSnapshot view, RulePolicy policy) {
    String gpu = rest.rank().gpu();
    return detection(
        rest.rank().part().subject(),
        rest,
        "finished no step in the last "
            + idle(rest, view)
            + figures(rest)
            + (gpu.isEmpty() ? "" : "; it runs on " + gpu)
            + StallSigns.of(List.of(rest.rank()), here, view),
        view,
        policy);
  }

  /** One finding for any number of stalled ranks: any user may start a loop of thousands. */
  private static Detection ofJob(
      List<Rest> all, int ranks, List<RankStatus> here, NodeSnapshot view, RulePolicy policy) {
    Subject job = RankStatus.ofJob(here.get(0).job(), here.get(0).run(), view);
    Rest latest = all.stream().max(Comparator.comparing(Rest::since)).orElseThrow();
    String signs = StallSigns.of(all.stream().map(Rest::rank).toList(), here, view);
    if (all.size() < ranks) {
      return detection(
          job,
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
        job,
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
    if (Double.isNaN(rest.step())) {
      return ", and none before";
    }
    String last = "the last was step " + RuleText.number(rest.step());
    return rest.isFirst()
        ? " (" + last + ")"
        : " (%s, one usually takes %s)".formatted(last, TrainingRule.seconds(rest.usual()));
  }

  private static Detection detection(
      Subject subject, Rest rest, String what, NodeSnapshot view, RulePolicy policy) {
    return policy
        .detection(subject, what, TrainingMetrics.LAST_STEP_TIME, TrainingMetrics.USUAL_STEP)
        .withTimes(rest.since(), view.now(), 1);
  }
}
