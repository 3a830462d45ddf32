package io.lapwing.jobs;

import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuTable.GpuPlace;
import io.lapwing.jobs.JobGpus.Occupant;
import io.lapwing.jobs.JobsSource.JobLabels;
import io.lapwing.jobs.ProcessAllocations.Use;
import io.lapwing.jobs.SourceResult.Allocation;
import io.lapwing.metric.Labels;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The GPUs and MIG instances that several hold at once, and what each of them uses there.
 *
 * <pre>
 * lapwing_gpu_shared{gpu="0",UUID="GPU-..",GPU_I_ID="",sharing="time_slicing"} 2
 * lapwing_gpu_holder_memory_used_bytes{...,GPU_I_ID="",job_id="",user="",pod="notebook-0",namespace="ml",container=""} 5.4e+08
 * lapwing_gpu_holder_sm_utilization_ratio{...} 0.25     absent with MPS and MIG
 * </pre>
 *
 * @param rows the owners of one GPU
 * @param uses the processes on it
 */
record SharedPlaces(JobGpus.Gpu gpu, List<Allocation> rows, List<Use> uses) {

  /** A job, a pod, a container outside of Kubernetes, or a user; empty texts if unknown. */
  record Holder(String jobId, String user, String pod, String namespace, String container) {

    static final Holder UNKNOWN = new Holder("", "", "", "", "");

    static Holder of(GpuOwner owner) {
      boolean alone = owner.jobId().isEmpty() && owner.pod().isEmpty();
      return new Holder(
          owner.jobId(),
          owner.user(),
          owner.pod(),
          owner.namespace(),
          alone ? owner.container() : "");
    }

    /** A pod that a process names by its uid, since its name could not be read. */
    boolean isUnnamed() {
      return jobId.isEmpty() && !pod.isEmpty() && namespace.isEmpty();
    }

    Labels on(Labels place) {
      return place
          .with("job_id", jobId)
          .with("user", user)
          .with("pod", pod)
          .with("namespace", namespace)
          .with("container", container);
    }
  }

  void put(JobLabels labels, SampleSink sink) {
    Set<GpuPlace> places =
        rows.stream().map(Allocation::place).collect(Collectors.toCollection(LinkedHashSet::new));
    for (GpuPlace place : places) {
      Set<Holder> holders = holders(place);
      boolean share = rows.stream().anyMatch(row -> row.share() && row.place().equals(place));
      if (holders.size() > 1 || share) {
        put(labels, place, holders.size(), sink);
      }
    }
  }

  private void put(JobLabels labels, GpuPlace place, int holders, SampleSink sink) {
    Map<Holder, List<Occupant>> by =
        uses.stream()
            .filter(use -> use.place().equals(place))
            .collect(
                Collectors.groupingBy(
                    this::holder,
                    LinkedHashMap::new,
                    Collectors.mapping(Use::process, Collectors.toList())));
    sink.add(JobMetrics.SHARED, labels.ofShared(gpu, place.instance(), sharing(by)), holders);
    by.forEach(
        (holder, processes) -> {
          Labels its = labels.of(gpu, place.instance(), holder);
          memory(processes).ifPresent(bytes -> sink.add(JobMetrics.HOLDER_MEMORY, its, bytes));
          utilization(processes).ifPresent(ratio -> sink.add(JobMetrics.HOLDER_SM, its, ratio));
        });
  }

  /** A holder of the whole GPU holds its instances. Named pods are those that are unnamed. */
  private Set<Holder> holders(GpuPlace place) {
    Set<Holder> holders =
        rows.stream()
            .filter(row -> row.place().equals(place) || row.place().instance().isEmpty())
            .map(row -> Holder.of(row.owner()))
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (holders.stream().anyMatch(one -> !one.namespace().isEmpty())) {
      holders.removeIf(Holder::isUnnamed);
    }
    return holders;
  }

  /** As its row has it, which other sources completed. */
  private Holder holder(Use use) {
    return use.owner()
        .map(
            owner ->
                rows.stream()
                    .filter(row -> row.place().mayEqual(use.place()) && row.owner().mayEqual(owner))
                    .findFirst()
                    .map(row -> Holder.of(row.owner()))
                    .orElse(Holder.UNKNOWN))
        .orElse(Holder.UNKNOWN);
  }

  private static String sharing(Map<Holder, List<Occupant>> by) {
    List<Optional<Boolean>> clients =
        by.values().stream().flatMap(List::stream).map(Occupant::mpsClient).toList();
    if (clients.contains(Optional.of(true))) {
      return "mps";
    }
    return by.size() > 1 && !clients.contains(Optional.<Boolean>empty())
        ? "time_slicing"
        : "unknown";
  }

  /** Empty unless it is known of each process. */
  private static OptionalDouble memory(List<Occupant> processes) {
    return processes.stream().allMatch(one -> one.memory().isPresent())
        ? OptionalDouble.of(processes.stream().mapToDouble(one -> one.memory().orElse(0)).sum())
        : OptionalDouble.empty();
  }

  private static OptionalDouble utilization(List<Occupant> processes) {
    return processes.stream().allMatch(one -> one.smUtilization().isPresent())
        ? OptionalDouble.of(
            processes.stream().mapToDouble(one -> one.smUtilization().orElse(0)).sum())
        : OptionalDouble.empty();
  }
}
