package io.lapwing.jobs;

import java.util.List;
import java.util.Map;

/** Which jobs each GPU has now, for who labels by them. Written by one thread, read by any. */
public final class JobBoard {

  private volatile Map<String, List<String>> jobs = Map.of();

  /** The ids of the jobs that have the GPU as a whole, by its UUID; no entry for none. */
  public Map<String, List<String>> jobs() {
    return jobs;
  }

  /** The very same object stays while nothing changes, so that a reader sees at once. */
  void put(Map<String, List<String>> now) {
    if (!now.equals(jobs)) {
      jobs = Map.copyOf(now);
    }
  }
}
