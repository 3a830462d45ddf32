package io.lapwing.drain.queue;

import io.lapwing.common.text.PlainText;
import io.lapwing.drain.cluster.ArrayTasks;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.JobQueue.Answer;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.JobQueue.Unreadable;
import io.lapwing.drain.cluster.QueuedJob;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The queue as it was read last, with the capacity at that time. Thread-safe. */
public final class QueueWatch {

  private final JobQueue queue;
  private final Supplier<Optional<ClusterView>> cluster;
  private final QueueReasons reasons = new QueueReasons();
  private final WaitTimes times = new WaitTimes();
  private volatile Report last = Report.NONE;

  /**
   * The result of a read.
   *
   * @param problem why the read failed; empty if it did not
   */
  public record Report(
      List<QueuedJob> jobs,
      Optional<Capacity> capacity,
      QueueSummary summary,
      Map<String, WaitTimes.Histogram> waits,
      Optional<String> problem) {

    static final Report NONE =
        new Report(
            List.of(),
            Optional.empty(),
            new QueueSummary(Map.of()),
            Map.of(),
            Optional.of("the queue has not been read yet"));
  }

  /**
   * @param cluster the last view of the scheduler
   */
  public QueueWatch(JobQueue queue, Supplier<Optional<ClusterView>> cluster) {
    this.queue = queue;
    this.cluster = cluster;
  }

  /** Reads the queue; ends within the timeout of the driver. */
  public synchronized void read(Instant now) {
    Optional<ClusterView> view = cluster.get();
    Answer answer = view.isPresent() ? queue.queue() : new Unreadable("the cluster is not seen");
    if (answer instanceof Queue read && view.isPresent()) {
      Capacity capacity = Capacity.of(view.get());
      times.update(read.jobs(), view.get().jobs(), now);
      last =
          new Report(
              read.jobs(),
              Optional.of(capacity),
              QueueSummary.of(read.jobs(), reasons, capacity, now),
              times.groups(),
              Optional.empty());
    } else if (answer instanceof Unreadable unreadable) {
      Report before = last;
      last =
          new Report(
              List.of(),
              before.capacity(),
              new QueueSummary(Map.of()),
              before.waits(),
              Optional.of(unreadable.why()));
    }
  }

  public Report last() {
    return last;
  }

  /**
   * Why a job waits, in words; empty if no such job waits. Tasks of an array that wait apart have a
   * line each.
   */
  public Optional<String> why(String id) {
    Report now = last;
    List<String> lines = new ArrayList<>();
    for (QueuedJob job : now.jobs()) {
      if (isCalled(job, id)) {
        now.capacity().ifPresent(all -> lines.add(words(job, reasons.of(job, all))));
      }
    }
    return lines.isEmpty() ? Optional.empty() : Optional.of(String.join("\n", lines));
  }

  /** By its id, that of its array or of one of its tasks, or its name without the namespace. */
  private static boolean isCalled(QueuedJob job, String id) {
    return job.id().equals(id)
        || WaitTimes.array(job.id()).equals(id)
        || ArrayTasks.parse(job.id()).filter(tasks -> tasks.has(id)).isPresent()
        || job.id().endsWith("/" + id);
  }

  private static String words(QueuedJob job, Wait wait) {
    return "job %s%s waits for %s: %s%s"
        .formatted(
            job.id(),
            job.tasks() == 1 ? "" : " (" + PlainText.count(job.tasks(), "task") + ")",
            wait.layer().word(),
            wait.words(),
            job.reason().isEmpty() ? "" : " (" + job.reason() + ")");
  }
}
