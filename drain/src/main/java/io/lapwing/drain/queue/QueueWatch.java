package io.lapwing.drain.queue;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.JobQueue;
import io.lapwing.drain.cluster.JobQueue.Answer;
import io.lapwing.drain.cluster.JobQueue.Queue;
import io.lapwing.drain.cluster.JobQueue.Unreadable;
import io.lapwing.drain.cluster.QueuedJob;
import java.time.Instant;
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
   * What was read.
   *
   * @param problem why nothing was; empty if it was
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

  /** Why a job waits, in words; empty if no such job waits. */
  public Optional<String> why(String id) {
    Report now = last;
    return now.jobs().stream()
        .filter(job -> isCalled(job, id))
        .findFirst()
        .flatMap(job -> now.capacity().map(capacity -> words(job, reasons.of(job, capacity))));
  }

  /**
   * By its id, that of its array or of a task of one that waits as a whole, or its name without the
   * namespace.
   */
  private static boolean isCalled(QueuedJob job, String id) {
    boolean asWhole = job.id().contains("_[");
    return job.id().equals(id)
        || WaitTimes.array(job.id()).equals(asWhole ? WaitTimes.array(id) : id)
        || job.id().endsWith("/" + id);
  }

  private static String words(QueuedJob job, Wait wait) {
    return "job %s waits for %s: %s%s"
        .formatted(
            job.id(),
            wait.layer().word(),
            wait.words(),
            job.reason().isEmpty() ? "" : " (" + job.reason() + ")");
  }
}
