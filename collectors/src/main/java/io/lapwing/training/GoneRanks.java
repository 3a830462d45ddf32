package io.lapwing.training;

import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Ranks whose process ended before their loop did, while others of the job continued: these wait
 * for it, or fail because of it. One is dropped when a process of the job starts later, or ten
 * minutes after the last of the others has ended. A job that is ended as a whole leaves none. For a
 * rank whose loop was over, between two loops or after the last, only ranks that train count as
 * others.
 */
final class GoneRanks {

  /** The time in which all ranks of a job that is ended as a whole end and are noticed. */
  private static final long SETTLING = TimeUnit.SECONDS.toNanos(10);

  /** How long before a rank is noticed those that ended because of it may have been. */
  private static final long BEFORE = TimeUnit.SECONDS.toNanos(15);

  private static final long KEPT = TimeUnit.MINUTES.toNanos(10);

  /** Any user may start and kill loops. */
  private static final int MOST = 64;

  private static final double NANOS = 1e9;

  private final LongSupplier now;
  private final Deque<Gone> gone = new ArrayDeque<>();
  private final Deque<Ended> ended = new ArrayDeque<>();

  /** Two users may have a job of one name, and a job may have several runs. */
  private record Job(String name, String run, long user) {

    static Job of(RankSource rank) {
      RankWriter writer = rank.writer();
      return new Job(RankNames.orUnknown(writer.job()), rank.file().header().run(), writer.user());
    }
  }

  /**
   * A loop that has ended.
   *
   * @param noticed by the clock of this class
   * @param at by its own clock, not after that
   */
  private record Ended(Job job, long noticed, long at) {}

  private static final class Gone {
    final Job job;
    final Labels labels;
    final long at;
    final boolean afterLoop;
    final long lastSign;
    final long lastAlive;
    long seenOthers;
    int outlived;

    Gone(RankSource rank, long at) {
      this.job = Job.of(rank);
      this.at = at;
      this.afterLoop = rank.phase() == Phase.AFTER_LOOP;
      this.lastSign = rank.lastSign();
      this.lastAlive = Math.min(rank.lastAlive(), at);
      this.seenOthers = at;
      StepHeader header = rank.file().header();
      String pid = Long.toString(rank.writer().pid().orElse(header.pid()));
      this.labels =
          new Labels(
              TrainingMetrics.RANK_GONE.labels(),
              List.of(
                  job.name(),
                  job.run(),
                  header.rankText(),
                  rank.labels().uuid,
                  pid,
                  Long.toString(job.user()),
                  rank.writer().standing() == RankWriter.Standing.JOB ? "1" : "0"));
    }
  }

  /** The clock is the time of day in nanoseconds since the epoch. */
  GoneRanks(LongSupplier now) {
    this.now = now;
  }

  /** A rank that is read no longer: its loop has ended, then, or only its process. */
  void removed(RankSource rank, OptionalLong loopEnded) {
    if (!rank.writer().isVerified()) {
      return;
    }
    long at = now.getAsLong();
    if (loopEnded.isPresent()) {
      long then = loopEnded.getAsLong();
      ended.addLast(new Ended(Job.of(rank), at, then > 0 && then < at ? then : at));
    } else {
      gone.addLast(new Gone(rank, at));
    }
    if (ended.size() > MOST) {
      ended.removeFirst();
    }
    if (gone.size() > MOST) {
      gone.removeFirst();
    }
  }

  /** The job continues, in processes that started later. */
  void started(RankSource rank) {
    if (!gone.isEmpty()) {
      Job job = Job.of(rank);
      long created = rank.file().header().created();
      gone.removeIf(one -> one.job.equals(job) && one.lastSign < created);
    }
  }

  /** Counts the ranks that outlived each one; {@code ranks} are those that are read. */
  void update(Collection<RankSource> ranks) {
    long at = now.getAsLong();
    while (!ended.isEmpty() && at - ended.getFirst().noticed() > SETTLING + BEFORE) {
      ended.removeFirst();
    }
    if (gone.isEmpty()) {
      return;
    }
    List<Job> running = new ArrayList<>();
    List<Job> training = new ArrayList<>();
    for (RankSource rank : ranks) {
      if (!rank.isOver()) {
        running.add(Job.of(rank));
        if (rank.phase() == Phase.TRAINING) {
          training.add(Job.of(rank));
        }
      }
    }
    for (Gone one : gone) {
      int others = Collections.frequency(running, one.job);
      if (others > 0) {
        one.seenOthers = at;
      }
      if (one.outlived == 0 && at - one.at >= SETTLING) {
        one.outlived =
            one.afterLoop ? Collections.frequency(training, one.job) : others + endedAfter(one);
      }
    }
    gone.removeIf(
        one ->
            at < one.at
                || at - one.seenOthers > KEPT
                || (one.outlived == 0 && at - one.at > SETTLING + BEFORE));
  }

  /** Loops that may have ended after the rank. A rank that was seen later outlived them. */
  private int endedAfter(Gone one) {
    return (int)
        ended.stream()
            .filter(rank -> rank.job().equals(one.job) && rank.at() > one.lastAlive)
            .count();
  }

  void put(SampleSink sink) {
    for (Gone one : gone) {
      if (one.outlived > 0) {
        sink.add(TrainingMetrics.RANK_GONE, one.labels, one.at / NANOS);
        sink.add(TrainingMetrics.RANK_OUTLIVED, one.labels, one.outlived);
      }
    }
  }
}
