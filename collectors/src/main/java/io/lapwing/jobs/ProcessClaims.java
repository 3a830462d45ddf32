package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuOccupants.Occupant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose the processes on each GPU are, by their cgroups. It sees who uses a GPU and not who has it:
 * a GPU without a process may be somebody's all the same.
 */
final class ProcessClaims {

  private static final String HIDDEN = "hidden";
  private static final int SHORT_ID = 12;
  private static final int MOST_PROCESSES = 256;

  private final GpuOccupants occupants;
  private final Procfs procfs;
  private final UserNames users;
  private final PodNames pods;
  private final SlurmJobs jobs;

  ProcessClaims(
      GpuOccupants occupants, Procfs procfs, UserNames users, PodNames pods, SlurmJobs jobs) {
    this.occupants = occupants;
    this.procfs = procfs;
    this.users = users;
    this.pods = pods;
    this.jobs = jobs;
  }

  /** Whether a process computes on it, whosever it is. */
  boolean isOccupied(String uuid) {
    return occupants.of(uuid).filter(list -> !list.isEmpty()).isPresent();
  }

  Answer look(GpuTable gpus, SampleSink sink) {
    List<Claim> claims = new ArrayList<>();
    boolean known = false;
    int seen = 0;
    int unseen = 0;
    for (JobGpus.Gpu gpu : gpus.gpus()) {
      Optional<List<Occupant>> list = occupants.of(gpu.uuid());
      known |= list.isPresent();
      for (Occupant one : list.orElse(List.of()).stream().limit(MOST_PROCESSES).toList()) {
        if (claim(gpu, one, claims, sink)) {
          seen++;
        } else {
          unseen++;
        }
      }
    }
    if (!known) {
      return Answer.NOT_HERE;
    }
    return seen == 0 && unseen > 0 ? Answer.SILENT : new Answer.Told(claims, false);
  }

  /** Whether it was seen whose the process is, or that it has ended. */
  private boolean claim(JobGpus.Gpu gpu, Occupant occupant, List<Claim> claims, SampleSink sink) {
    long pid = occupant.pid();
    Reading<ProcessCgroup> cgroup =
        pid > 0 ? procfs.cgroup(pid) : new Reading.Failed<>("pid", HIDDEN);
    if (cgroup instanceof Reading.Failed<?> failed) {
      sink.failed(failed.question(), failed.reason());
      return false;
    }
    Optional<ProcessCgroup> found = cgroup.toOptional();
    if (found.isEmpty() && procfs.isOfHost()) {
      return true;
    }
    if (found.isEmpty() || found.get().hidden()) {
      sink.failed(procfs.path().resolve(pid + "/cgroup").toString(), HIDDEN);
      return false;
    }
    String instance =
        occupant.instance().isPresent() ? String.valueOf(occupant.instance().getAsInt()) : "";
    claims.add(new Claim(new GpuPlace(gpu.uuid(), instance), holder(found.get(), pid, sink)));
    return true;
  }

  private Holder holder(ProcessCgroup cgroup, long pid, SampleSink sink) {
    Holder holder = Holder.job(cgroup.jobId().orElse(""));
    if (cgroup.jobId().isPresent()) {
      holder = holder.of(jobs.of(cgroup.jobId().get(), cgroup.owner(), pid, sink));
    }
    if (cgroup.podUid().isPresent()) {
      return inPod(holder, cgroup.podUid().get(), sink);
    }
    if (cgroup.jobId().isPresent()) {
      return holder;
    }
    String user = procfs.uid(pid).map(users::of).orElse("");
    String container = cgroup.containerId().map(id -> id.substring(0, SHORT_ID)).orElse("");
    return holder.of(new JobDetails(user, "", "")).inPod("", "", container);
  }

  private Holder inPod(Holder holder, String uid, SampleSink sink) {
    Optional<PodNames.PodName> name = pods.of(uid);
    if (name.isEmpty()) {
      sink.failed("pod " + uid, "unknown_pod");
      return holder.inPod("", uid, "");
    }
    return holder.inPod(name.get().namespace(), name.get().pod(), name.get().container());
  }
}
