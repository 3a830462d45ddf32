package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.jobs.JobProgress;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The recorded jobs in virtual time. A job does not start on a node that the controller holds: it
 * has that part of it on a node that the record does not name. One that is ended does not return.
 */
final class ReplayedJobs {

  private final Deque<RecordedJob> coming;
  private final Map<String, Running> running = new LinkedHashMap<>();
  private List<Job> shown = List.of();
  private Set<NodeName> busy = Set.of();

  private record Running(RecordedJob recorded, Job job) {}

  ReplayedJobs(List<RecordedJob> jobs) {
    coming =
        new ArrayDeque<>(jobs.stream().sorted(Comparator.comparing(RecordedJob::start)).toList());
  }

  void advance(Instant now, Predicate<NodeName> inService) {
    boolean changed = running.values().removeIf(one -> !one.recorded().runsAt(now));
    while (!coming.isEmpty() && !coming.getFirst().start().isAfter(now)) {
      RecordedJob next = coming.removeFirst();
      Set<NodeName> nodes = new HashSet<>(next.job().nodes());
      nodes.removeIf(inService.negate());
      if (next.runsAt(now) && !nodes.isEmpty()) {
        Job all = next.job();
        running.put(all.id(), new Running(next, new Job(all.id(), all.user(), nodes, all.gpus())));
        changed = true;
      }
    }
    if (changed) {
      show();
    }
  }

  private void show() {
    shown = running.values().stream().map(Running::job).toList();
    busy = new HashSet<>();
    shown.forEach(job -> busy.addAll(job.nodes()));
  }

  List<Job> running() {
    return shown;
  }

  boolean runsOn(NodeName node) {
    return busy.contains(node);
  }

  void end(String id) {
    running.remove(id);
    show();
  }

  JobProgress progress(String id, Instant now) {
    return Optional.ofNullable(running.get(id))
        .map(one -> one.recorded().progress(now))
        .orElse(JobProgress.UNKNOWN);
  }
}
