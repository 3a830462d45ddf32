package io.lapwing.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the training job of a node's state lines until closed: starts its processes when the lines
 * name a job, passes on changes, and stops them when the lines name another job or none. Ends with
 * this process.
 */
public final class JobRun implements AutoCloseable {
  private final SimulatedNode node;
  private final List<StepsWriter> writers;
  private @Nullable TrainingJob running;
  private boolean closed;

  JobRun(SimulatedNode node, List<StepsWriter> writers) {
    this.node = node;
    this.writers = List.copyOf(writers);
  }

  /** Makes the running processes match the lines; called by the node under its lock. */
  void settle(Optional<TrainingSettings> wanted) {
    if (closed) {
      return;
    }
    if (running != null
        && !wanted.map(TrainingSettings::job).equals(Optional.of(running.job().id()))) {
      end(running);
    }
    if (wanted.isPresent() && running == null) {
      running = start(wanted.get());
    }
    if (wanted.isPresent() && running != null) {
      running.tell(wanted.get());
    }
  }

  private TrainingJob start(TrainingSettings wanted) {
    Map<String, String> lines = node.lines();
    List<String> uuids =
        IntStream.range(0, node.type().gpuCount())
            .mapToObj(gpu -> lines.getOrDefault("gpu." + gpu + ".uuid", ""))
            .toList();
    try {
      TrainingJob job = TrainingJob.start(node.dir(), wanted, uuids, writers);
      // Before the first step, so that readers find the process that wrote it.
      node.jobStarted(job.job());
      job.watch(node::rankEnded);
      return job;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void end(TrainingJob job) {
    running = null;
    job.close();
    node.jobEnded(job.job());
  }

  /** The running processes by rank; empty without a job. */
  public List<Long> pids() {
    synchronized (node) {
      return running == null
          ? List.of()
          : running.job().ranks().stream().map(JobRank::pid).toList();
    }
  }

  @Override
  public void close() {
    synchronized (node) {
      closed = true;
      if (running != null) {
        end(running);
      }
    }
  }
}
