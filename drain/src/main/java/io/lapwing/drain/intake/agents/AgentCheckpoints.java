package io.lapwing.drain.intake.agents;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.jobs.CheckpointFacts;
import io.lapwing.drain.jobs.JobProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Reads a job's checkpoints from the agents of its nodes, if a decision needs them. The first query
 * waits briefly, so that the record of a drain has its cost; later ones are answered from the last
 * read, while another thread reads again. Old values count as unknown.
 */
public final class AgentCheckpoints implements CheckpointFacts {

  private static final String PATH = "/api/v1/live";
  private static final Duration FRESH = Duration.ofSeconds(10);
  private static final Duration OLD = Duration.ofMinutes(1);
  private static final int MOST_JOBS = 256;

  /** A checkpoint is durable for all ranks, so a few nodes are enough. */
  private static final int MOST_NODES = 4;

  private final AgentPages agents;
  private final Executor thread;
  private final InstantSource clock;
  private final Duration patience;
  private final Map<Key, Reading> jobs = new LinkedHashMap<>();

  /**
   * @param thread that reads; not one that the client of HTTP needs
   * @param patience for the first answer about a job
   */
  public AgentCheckpoints(
      AgentPages agents, Executor thread, InstantSource clock, Duration patience) {
    this.agents = agents;
    this.thread = thread;
    this.clock = clock;
    this.patience = patience;
  }

  /** Jobs of Kubernetes may follow each other under one name: their pods distinguish them. */
  private record Key(String id, Set<String> pods) {

    static Key of(Job job) {
      return new Key(job.id(), job.pods());
    }
  }

  /**
   * What is known of a job.
   *
   * @param at when it was asked for
   * @param intervals between its last checkpoints
   * @param next the reading that follows; done if there is none
   */
  private record Reading(
      JobProgress progress, Instant at, Intervals intervals, CompletableFuture<Void> next) {

    Reading followedBy(CompletableFuture<Void> reading) {
      return new Reading(progress, at, intervals, reading);
    }
  }

  @Override
  public JobProgress of(Job job) {
    CompletableFuture<Void> first = ask(job);
    try {
      first.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException later) {
      return JobProgress.UNKNOWN;
    }
    Instant now = clock.instant();
    synchronized (jobs) {
      Reading known = jobs.get(Key.of(job));
      return known == null || known.at().plus(OLD).isBefore(now)
          ? JobProgress.UNKNOWN
          : known.progress();
    }
  }

  /** Begins a reading if the last one is not fresh; only the first one is waited for, and once. */
  private CompletableFuture<Void> ask(Job job) {
    Instant now = clock.instant();
    synchronized (jobs) {
      Reading known =
          jobs.getOrDefault(
              Key.of(job),
              new Reading(
                  JobProgress.UNKNOWN,
                  Instant.MIN,
                  Intervals.NONE,
                  CompletableFuture.completedFuture(null)));
      boolean first = known.at().equals(Instant.MIN);
      if (known.next().isDone() && (first || known.at().plus(FRESH).isBefore(now))) {
        CompletableFuture<Void> next = new CompletableFuture<>();
        jobs.remove(Key.of(job));
        jobs.put(Key.of(job), known.followedBy(next));
        if (jobs.size() > MOST_JOBS) {
          jobs.remove(jobs.keySet().iterator().next());
        }
        thread.execute(() -> read(job, now, next));
        return first ? next : CompletableFuture.completedFuture(null);
      }
      return CompletableFuture.completedFuture(null);
    }
  }

  private void read(Job job, Instant at, CompletableFuture<Void> done) {
    try {
      TrainingRanks ranks = ranks(job);
      synchronized (jobs) {
        Reading known = jobs.get(Key.of(job));
        if (known != null) {
          Optional<Instant> durable = ranks.progress(Optional.empty()).durable();
          Intervals intervals = known.intervals().and(durable, at);
          jobs.put(
              Key.of(job), new Reading(ranks.progress(intervals.median()), at, intervals, done));
        }
      }
    } finally {
      done.complete(null);
    }
  }

  /** A node that is silent adds nothing. */
  private TrainingRanks ranks(Job job) {
    TrainingRanks ranks = TrainingRanks.NONE;
    for (NodeName node : job.nodes().stream().sorted().limit(MOST_NODES).toList()) {
      try {
        ranks = ranks.and(TrainingRanks.read(agents.get(node, PATH), job));
      } catch (IOException | Unusable silent) {
        // The second opinion reports it, if it matters.
      }
    }
    return ranks;
  }
}
