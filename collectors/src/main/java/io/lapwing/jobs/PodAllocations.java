package io.lapwing.jobs;

import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.GpuTable.GpuPlace;
import io.lapwing.jobs.SourceResult.Allocation;
import io.lapwing.kubelet.PodResources;
import io.lapwing.metric.LabelText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
    return SourceResult.of(kubelet.list(), sink, list -> allocations(list, gpus, sink));
  }

  void close() {
    kubelet.close();
  }

  private static SourceResult allocations(
      List<PodResources.Device> devices, GpuTable gpus, SampleSink sink) {
    List<Allocation> allocations = new ArrayList<>();
    boolean complete = true;
    for (PodResources.Device device : devices) {
      GpuOwner owner =
          GpuOwner.pod(device.namespace(), device.pod(), device.container(), device.claim());
      complete &= allocation(device.id(), owner, gpus, allocations, sink);
    }
    return new SourceResult.Known(allocations, complete);
  }

  /** The checkpoint names pods by uid only, and keeps ended pods until their devices are reused. */
  SourceResult readCheckpoint(GpuTable gpus, SampleSink sink) {
    return SourceResult.of(checkpoint.entries(), sink, list -> ofCheckpoint(list, gpus, sink));
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
    place.ifPresent(
        known -> allocations.add(new Allocation(known, owner, DeviceId.isShare(device))));
    if (place.isEmpty()) {
      sink.failed(LabelText.clean(device), "unknown_gpu");
    }
    return place.isPresent();
  }

  /**
   * Device ids that device plugins and drivers of claims use for GPUs.
   *
   * <pre>
   * GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52          a GPU
   * GPU-604ac76c-d9cf-fef3-62e9-d92044ab6e52::3       a share of it
   * MIG-2c4d8e11-5f0a-5d5b-9a8e-0d6c1f2b3a44          a MIG device
   * MIG-GPU-604ac76c-.../7/0                          a MIG device of drivers before R470
   * nvidia0, nvidia0/gi7, nvidia0/gi7/vgpu2           GKE: by minor number, instance and share
   * gpu-0                                             Dynamic Resource Allocation: a GPU
   * gpu-0-mig-1g10gb-19-0                             by minor number, profile, its id, placement
   * </pre>
   */
  static final class DeviceId {

    private static final String UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
    private static final String SHARE = "(?:(?:::|-|/vgpu)[0-9]{1,6})?";
    private static final Pattern BY_UUID = Pattern.compile("((?:GPU|MIG)-" + UUID + ")" + SHARE);
    private static final Pattern OLD_MIG =
        Pattern.compile("MIG-(GPU-" + UUID + ")/([0-9]{1,6})/[0-9]{1,6}" + SHARE);
    private static final Pattern BY_MINOR =
        Pattern.compile("nvidia([0-9]{1,6})(?:/gi([0-9]{1,6}))?" + SHARE);

    private static final Pattern CLAIMED = Pattern.compile("gpu-([0-9]{1,6})");

    private static final Pattern CLAIMED_MIG =
        Pattern.compile(
            "gpu-(0|[1-9][0-9]{0,5})-mig-([0-9]{1,2}g[a-z0-9-]{1,24})-[0-9]{1,6}-([0-9]{1,6})");

    /** None of these is longer. */
    private static final int MAX_CHARS = 128;

    private static final Pattern SHARED =
        Pattern.compile(".*(?:::|/vgpu)[0-9]{1,6}|(?:GPU|MIG)-.*-[0-9]{1,6}");

    private DeviceId() {}

    /** The GPU or slice with that id; empty if there is none on this node. */
    static Optional<GpuPlace> place(String id, GpuTable gpus) {
      if (id.length() > MAX_CHARS) {
        return Optional.empty();
      }
      Matcher uuid = BY_UUID.matcher(id);
      if (uuid.matches()) {
        return gpus.of(uuid.group(1));
      }
      Matcher old = OLD_MIG.matcher(id);
      if (old.matches()) {
        return gpus.slice(old.group(1), String.valueOf(Integer.parseInt(old.group(2))));
      }
      Matcher claimed = CLAIMED.matcher(id);
      if (claimed.matches()) {
        return gpus.claimed(Integer.parseInt(claimed.group(1)));
      }
      Matcher slice = CLAIMED_MIG.matcher(id);
      if (slice.matches()) {
        return gpus.claimed(slice.group(1), slice.group(2), Integer.parseInt(slice.group(3)));
      }
      Matcher index = BY_MINOR.matcher(id);
      return index.matches() ? byMinor(index, gpus) : Optional.empty();
    }

    /** Whether the device plugin gave a share of a GPU or slice, by time-slicing or MPS. */
    static boolean isShare(String id) {
      return id.length() <= MAX_CHARS && SHARED.matcher(id).matches();
    }

    private static Optional<GpuPlace> byMinor(Matcher id, GpuTable gpus) {
      int gpu = Integer.parseInt(id.group(1));
      return gpus.device(gpu)
          .flatMap(
              whole ->
                  id.group(2) == null
                      ? Optional.of(whole)
                      : gpus.slice(whole.uuid(), String.valueOf(Integer.parseInt(id.group(2)))));
    }
  }
}
