package io.lapwing.jobs;

import java.util.List;
import java.util.Map;

/** The jobs of each GPU, for labels on other metrics. Written by one thread, read by any. */
public final class JobBoard {

  private volatile Map<String, List<String>> jobs = Map.of();

  /** The ids of the jobs that own the whole GPU, by its UUID. GPUs without a job have no entry. */
  public Map<String, List<String>> jobs() {
    return jobs;
  }

  /** Keeps the same object while nothing changes, so that readers can compare by identity. */
  void put(Map<String, List<String>> now) {
    if (!now.equals(jobs)) {
      jobs = Map.copyOf(now);
    }
  }
}
