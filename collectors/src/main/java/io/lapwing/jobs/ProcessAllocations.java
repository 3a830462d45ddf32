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

  /** What {@code nvidia-cuda-mps-server} is called, as far as the kernel keeps the name. */
  private static final String MPS_SERVER = "nvidia-cuda-mps";

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

  /** The owners, and each process with its owner, if that is known. */
  record Found(SourceResult result, List<Use> uses) {}

  /** A process on a GPU or MIG instance. */
  record Use(GpuPlace place, Optional<GpuOwner> owner, Occupant process) {

    boolean isOn(JobGpus.Gpu gpu) {
      return place.uuid().equals(gpu.uuid());
    }
  }

  Found read(GpuTable table, SampleSink sink) {
    List<Use> uses = new ArrayList<>();
    boolean known = false;
    int seen = 0;
    int unseen = 0;
    for (JobGpus.Gpu gpu : table.gpus()) {
      Optional<List<Occupant>> list = gpus.occupants(gpu.uuid());
      known |= list.isPresent();
      boolean mps = list.stream().flatMap(List::stream).anyMatch(ProcessAllocations::isClient);
      for (Occupant one : list.orElse(List.of()).stream().limit(MAX_PROCESSES).toList()) {
        if (mps && isServer(one)) {
          uses.add(new Use(place(gpu, one), Optional.empty(), one));
        } else if (use(gpu, one, uses, sink)) {
          seen++;
        } else {
          unseen++;
        }
      }
    }
    if (!known) {
      return new Found(SourceResult.ABSENT, uses);
    }
    return seen == 0 && unseen > 0
        ? new Found(SourceResult.UNAVAILABLE, uses)
        : new Found(new SourceResult.Known(allocations(uses), false), uses);
  }

  private static List<Allocation> allocations(List<Use> uses) {
    return uses.stream()
        .flatMap(use -> use.owner().map(owner -> new Allocation(use.place(), owner)).stream())
        .toList();
  }

  private static boolean isClient(Occupant process) {
    return process.mpsClient().orElse(false);
  }

  /**
   * The server of the GPU's clients of MPS holds the GPU for them and is no holder itself. A
   * process chooses its name, so that it counts only beside clients that the driver lists.
   */
  private boolean isServer(Occupant process) {
    return process.mpsClient().filter(client -> !client).isPresent()
        && process.pid() > 0
        && procfs.comm(process.pid()).filter(MPS_SERVER::equals).isPresent();
  }

  private static GpuPlace place(JobGpus.Gpu gpu, Occupant process) {
    OptionalInt instance = process.instance();
    return new GpuPlace(
        gpu.uuid(), instance.isPresent() ? String.valueOf(instance.getAsInt()) : "");
  }

  /** Whether the owner of the process was found, or the process has exited. */
  private boolean use(JobGpus.Gpu gpu, Occupant occupant, List<Use> uses, SampleSink sink) {
    long pid = occupant.pid();
    Reading<ProcessCgroup> cgroup =
        pid > 0 ? procfs.cgroup(pid) : new Reading.Failed<>("pid", HIDDEN);
    Optional<ProcessCgroup> found = cgroup.toOptional();
    boolean failed = sink.countFailure(cgroup);
    if (!failed && found.isEmpty() && procfs.isOfHost()) {
      return true;
    }
    if (failed || found.isEmpty() || found.get().hidden()) {
      if (!failed) {
        sink.failed(procfs.path().resolve(pid + "/cgroup").toString(), HIDDEN);
      }
      uses.add(new Use(place(gpu, occupant), Optional.empty(), occupant));
      return false;
    }
    uses.add(new Use(place(gpu, occupant), Optional.of(owner(found.get(), pid, sink)), occupant));
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
