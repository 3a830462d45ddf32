package io.lapwing.drain.cluster;

import java.util.List;

/** The jobs that wait. Queried rarely: it costs the scheduler more than a view. */
public interface JobQueue {

  Answer queue();

  /** What came back. */
  sealed interface Answer {}

  /** All jobs that wait. */
  record Queue(List<QueuedJob> jobs) implements Answer {

    public Queue {
      jobs = List.copyOf(jobs);
    }
  }

  /**
   * The scheduler does not answer, or not in full. Does not mean that no job waits.
   *
   * @param why for the log
   */
  record Unreadable(String why) implements Answer {}
}
