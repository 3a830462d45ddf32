package io.lapwing.agent.privacy;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Jobs by GPU as they are shown; the same object until a job changes. Thread-safe. */
public final class ShownJobs implements Supplier<Map<String, List<String>>> {

  private final Supplier<Map<String, List<String>>> jobs;
  private final Privacy privacy;
  private Map<String, List<String>> known = Map.of();
  private Map<String, List<String>> shown = Map.of();

  public ShownJobs(Supplier<Map<String, List<String>>> jobs, Privacy privacy) {
    this.jobs = jobs;
    this.privacy = privacy;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a new object signals a change
  public synchronized Map<String, List<String>> get() {
    Map<String, List<String>> now = jobs.get();
    if (now != known) {
      known = now;
      shown = privacy.jobs(now);
    }
    return shown;
  }
}
