package io.lapwing.simulator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the training job that a node's lines tell of, from when it is asked for until it is closed:
 * starts its processes when the lines begin to name a job, tells them what changes, and ends them
 * when the lines name none, or another one. Ends with the process.
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

  /** Makes what runs what the lines say; the node calls it, of which that takes the lock. */
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
      TrainingJob job = TrainingJob.start(node.dir(), wanted.job(), uuids, writers);
      // Before the first step: whoever reads it finds the process that wrote it.
      node.jobBegan(job.job());
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

  /** The processes that run, in the order of their ranks; none where there is no job. */
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
