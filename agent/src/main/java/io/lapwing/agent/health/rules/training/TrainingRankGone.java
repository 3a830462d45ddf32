package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.events.Event;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Ranks whose process ended before their loop did, while others of the job were there: the first
 * one is why the others fail or wait.
 */
final class TrainingRankGone implements TrainingRule {

  private static final String KEPT = "kept_seconds";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("training_rank_gone")
        .about("The process of a rank ended before its training loop did, and others outlived it.")
        .why(
            "The others fail or wait because of it, so it is the one to look at; a program that crashes does not indicate a fault of this node, which would have a finding of its own.")
        .document("Lapwing; the lock of a step file ends with its process")
        .disposition(Disposition.info())
        .threshold(KEPT, 600, 10, 86_400, "seconds")
        .meaning("Time for which the finding stays after the last of them; Lapwing's own choice.")
        .needs(TrainingMetrics.RANKS)
        .reads(
            Stream.concat(
                    DeadRank.READS.stream(),
                    Stream.of(
                        TrainingMetrics.INFO, TrainingMetrics.VERIFIED, TrainingMetrics.OWNER))
                .toArray(Metric[]::new))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Map<List<Object>, List<DeadRank>> jobs = new LinkedHashMap<>();
    DeadRank.all(view)
        .forEach(
            dead ->
                jobs.computeIfAbsent(
                        List.of(dead.job(), dead.run(), dead.owner()), unseen -> new ArrayList<>())
                    .add(dead));
    List<Detection> found = new ArrayList<>();
    jobs.values().stream()
        .filter(dead -> isRecent(dead.get(dead.size() - 1).noticed(), view, policy))
        .forEach(dead -> found.add(detection(dead, view, policy)));
    Restored.all(policy.spec().name(), view).stream()
        .filter(opened -> isRecent(opened.at(), view, policy))
        .filter(opened -> found.stream().noneMatch(one -> Restored.isOf(opened, one.subject())))
        .map(opened -> Restored.detection(opened, policy))
        .forEach(found::add);
    return found;
  }

  /**
   * The findings of an earlier run of the agent, since this one did not run when the rank ended.
   */
  private static final class Restored {

    private Restored() {}

    static List<Event.FindingOpened> all(String rule, NodeSnapshot view) {
      Map<String, Event.FindingOpened> open = new LinkedHashMap<>();
      Map<String, Event.FindingOpened> before = new LinkedHashMap<>();
      for (Event event : view.history().events()) {
        if (event instanceof Event.FindingOpened opened && opened.rule().equals(rule)) {
          open.put(opened.subject(), opened);
        } else if (event instanceof Event.FindingClosed closed && closed.rule().equals(rule)) {
          open.remove(closed.subject());
          before.remove(closed.subject());
        } else if (event instanceof Event.Booted) {
          open.clear();
          before.clear();
        } else if (event instanceof Event.Started) {
          before.putAll(open);
        }
      }
      return before.values().stream().filter(opened -> !runsAgain(opened, view)).toList();
    }

    static boolean isOf(Event.FindingOpened opened, Subject subject) {
      return opened.subject().equals(subject.text());
    }

    /** Its text starts with the first rank that ended: {@code rank 1 (pid 8439) is gone ...}. */
    private static boolean runsAgain(Event.FindingOpened opened, NodeSnapshot view) {
      return RankStatus.all(view).stream()
          .filter(
              rank ->
                  isOf(opened, job(rank.job()))
                      || isOf(opened, job(rank.job() + "//" + rank.run())))
          .anyMatch(rank -> opened.what().startsWith("rank " + rank.rank() + " "));
    }

    static Detection detection(Event.FindingOpened opened, RulePolicy policy) {
      String job = opened.subject().substring(job("").text().length());
      return policy
          .detection(job(job), opened.what(), TrainingMetrics.RANKS)
          .withTimes(opened.since(), opened.at(), 1);
    }
  }

  private static Subject job(String name) {
    return new Subject.Part(TrainingSource.KIND, name);
  }

  private static boolean isRecent(Instant last, NodeSnapshot view, RulePolicy policy) {
    return Duration.between(last, view.now()).toMillis() / 1e3 <= policy.threshold(KEPT);
  }

  private static Detection detection(List<DeadRank> dead, NodeSnapshot view, RulePolicy policy) {
    DeadRank first = dead.get(0);
    return policy
        .detection(
            RankStatus.ofJob(first.job(), first.run(), view),
            "%s; %s of the job on this node outlived it%s"
                .formatted(
                    first.words(),
                    RuleText.count(first.outlived(), "rank"),
                    later(dead.subList(1, dead.size()))),
            TrainingMetrics.RANKS)
        .withTimes(first.noticed(), view.now(), dead.size());
  }

  private static String later(List<DeadRank> dead) {
    return dead.isEmpty() ? "" : "; then " + StallSigns.named(dead, DeadRank::words);
  }
}
