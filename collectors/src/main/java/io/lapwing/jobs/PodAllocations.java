package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.kubelet.PodResources;
import io.lapwing.metric.LabelText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** GPU allocations of containers, from the kubelet or its checkpoint. */
final class PodAllocations {

  private final PodResources kubelet;
  private final Checkpoint checkpoint;
  private final PodNames pods;

  PodAllocations(PodResources kubelet, Path checkpoint, PodNames pods) {
    this.kubelet = kubelet;
    this.checkpoint = new Checkpoint(checkpoint);
    this.pods = pods;
  }

  SourceResult readPodResources(GpuTable gpus, SampleSink sink) {
    Reading<List<PodResources.Device>> devices = kubelet.list();
    if (devices instanceof Reading.Failed<?> failed) {
      sink.failed(failed.question(), failed.reason());
      return SourceResult.UNAVAILABLE;
    }
    Optional<List<PodResources.Device>> known = devices.toOptional();
    return known.map(list -> allocations(list, gpus, sink)).orElse(SourceResult.ABSENT);
  }

  private static SourceResult allocations(
      List<PodResources.Device> devices, GpuTable gpus, SampleSink sink) {
    List<Allocation> allocations = new ArrayList<>();
    boolean complete = true;
    for (PodResources.Device device : devices) {
      GpuOwner owner = GpuOwner.pod(device.namespace(), device.pod(), device.container());
      complete &= allocation(device.id(), owner, gpus, allocations, sink);
    }
    return new SourceResult.Known(allocations, complete);
  }

  /** The checkpoint names pods by uid only, and keeps ended pods until their devices are reused. */
  SourceResult readCheckpoint(GpuTable gpus, SampleSink sink) {
    Reading<List<Checkpoint.Entry>> entries = checkpoint.entries();
    if (entries instanceof Reading.Failed<?> failed) {
      sink.failed(failed.question(), failed.reason());
      return SourceResult.UNAVAILABLE;
    }
    Optional<List<Checkpoint.Entry>> known = entries.toOptional();
    return known.map(list -> ofCheckpoint(list, gpus, sink)).orElse(SourceResult.ABSENT);
  }

  private SourceResult ofCheckpoint(
      List<Checkpoint.Entry> entries, GpuTable gpus, SampleSink sink) {
    List<Allocation> allocations = new ArrayList<>();
    boolean complete = true;
    for (Checkpoint.Entry entry : entries) {
      if (pods.isGone(entry.podUid())) {
        sink.failed("pod " + entry.podUid(), "stale");
      } else {
        complete &= allocation(entry.device(), owner(entry), gpus, allocations, sink);
      }
    }
    return new SourceResult.Known(allocations, complete);
  }

  private GpuOwner owner(Checkpoint.Entry entry) {
    return pods.of(entry.podUid())
        .map(name -> GpuOwner.pod(name.namespace(), name.pod(), entry.container()))
        .orElseGet(() -> GpuOwner.pod("", entry.podUid(), entry.container()));
  }

  private static boolean allocation(
      String device, GpuOwner owner, GpuTable gpus, List<Allocation> allocations, SampleSink sink) {
    Optional<GpuPlace> place = DeviceId.place(device, gpus);
    place.ifPresent(known -> allocations.add(new Allocation(known, owner)));
    if (place.isEmpty()) {
      sink.failed(LabelText.clean(device), "unknown_gpu");
    }
    return place.isPresent();
  }
}
