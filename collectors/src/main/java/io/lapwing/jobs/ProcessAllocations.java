package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuTable.GpuPlace;
import io.lapwing.jobs.JobGpus.Occupant;
import io.lapwing.jobs.SlurmJobs.JobDetails;
import io.lapwing.jobs.SourceResult.Allocation;
import io.lapwing.linux.ProcessCgroup;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** The owners of the processes on each GPU, by their cgroups: who uses a GPU, not who has it. */
record ProcessAllocations(
    JobGpus gpus, ProcessFiles procfs, UserNames users, PodNames pods, SlurmJobs jobs) {

  private static final String HIDDEN = "hidden";
  private static final int SHORT_ID = 12;
  private static final int MAX_PROCESSES = 256;

  boolean isOccupied(String uuid) {
    return gpus.occupants(uuid).filter(list -> !list.isEmpty()).isPresent();
  }

  /** Whether a process computes on a MIG instance. */
  boolean isOccupied(String uuid, int instance) {
    return gpus.occupants(uuid).stream()
        .flatMap(List::stream)
        .anyMatch(one -> one.instance().equals(OptionalInt.of(instance)));
  }

  SourceResult read(GpuTable table, SampleSink sink) {
    List<Allocation> allocations = new ArrayList<>();
    boolean known = false;
    int seen = 0;
    int unseen = 0;
    for (JobGpus.Gpu gpu : table.gpus()) {
      Optional<List<Occupant>> list = gpus.occupants(gpu.uuid());
      known |= list.isPresent();
      for (Occupant one : list.orElse(List.of()).stream().limit(MAX_PROCESSES).toList()) {
        if (allocation(gpu, one, allocations, sink)) {
          seen++;
        } else {
          unseen++;
        }
      }
    }
    if (!known) {
      return SourceResult.ABSENT;
    }
    return seen == 0 && unseen > 0
        ? SourceResult.UNAVAILABLE
        : new SourceResult.Known(allocations, false);
  }

  /** Whether the owner of the process was found, or the process has exited. */
  private boolean allocation(
      JobGpus.Gpu gpu, Occupant occupant, List<Allocation> allocations, SampleSink sink) {
    long pid = occupant.pid();
    Reading<ProcessCgroup> cgroup =
        pid > 0 ? procfs.cgroup(pid) : new Reading.Failed<>("pid", HIDDEN);
    if (sink.countFailure(cgroup)) {
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
    allocations.add(
        new Allocation(new GpuPlace(gpu.uuid(), instance), owner(found.get(), pid, sink)));
    return true;
  }

  private GpuOwner owner(ProcessCgroup cgroup, long pid, SampleSink sink) {
    GpuOwner owner = GpuOwner.job(cgroup.jobId().orElse(""));
    if (cgroup.jobId().isPresent()) {
      owner = owner.of(jobs.of(cgroup.jobId().get(), cgroup.owner(), pid, sink));
    }
    if (cgroup.podUid().isPresent()) {
      return inPod(owner, cgroup.podUid().get(), sink);
    }
    if (cgroup.jobId().isPresent()) {
      return owner;
    }
    String user = procfs.uid(pid).map(users::of).orElse("");
    String container = cgroup.containerId().map(id -> id.substring(0, SHORT_ID)).orElse("");
    return owner.of(new JobDetails("", user, "", "")).inPod("", "", container);
  }

  private GpuOwner inPod(GpuOwner owner, String uid, SampleSink sink) {
    Optional<PodNames.PodName> name = pods.of(uid);
    if (name.isEmpty()) {
      sink.failed("pod " + uid, "unknown_pod");
      return owner.inPod("", uid, "");
    }
    return owner.inPod(name.get().namespace(), name.get().pod(), name.get().container());
  }
}
