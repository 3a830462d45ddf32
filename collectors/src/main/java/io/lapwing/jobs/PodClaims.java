package io.lapwing.jobs;

import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.LabelText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which container has which GPU, as the kubelet says or has written down. */
final class PodClaims {

  private final PodResources kubelet;
  private final Checkpoint checkpoint;
  private final PodNames pods;

  PodClaims(PodResources kubelet, Path checkpoint, PodNames pods) {
    this.kubelet = kubelet;
    this.checkpoint = new Checkpoint(checkpoint);
    this.pods = pods;
  }

  Answer askKubelet(GpuTable gpus, SampleSink sink) {
    Reading<List<PodDevice>> devices = kubelet.list();
    if (devices instanceof Reading.Failed<?> failed) {
      sink.failed(failed.question(), failed.reason());
      return Answer.SILENT;
    }
    Optional<List<PodDevice>> told = devices.toOptional();
    return told.map(list -> claims(list, gpus, sink)).orElse(Answer.NOT_HERE);
  }

  private static Answer claims(List<PodDevice> devices, GpuTable gpus, SampleSink sink) {
    List<Claim> claims = new ArrayList<>();
    boolean whole = true;
    for (PodDevice device : devices) {
      Holder holder = Holder.pod(device.namespace(), device.pod(), device.container());
      whole &= claim(device.id(), holder, gpus, claims, sink);
    }
    return new Answer.Told(claims, whole);
  }

  /** The checkpoint names pods by uid only, and keeps those that ended until others come. */
  Answer readCheckpoint(GpuTable gpus, SampleSink sink) {
    Reading<List<Checkpoint.Entry>> entries = checkpoint.entries();
    if (entries instanceof Reading.Failed<?> failed) {
      sink.failed(failed.question(), failed.reason());
      return Answer.SILENT;
    }
    Optional<List<Checkpoint.Entry>> told = entries.toOptional();
    return told.map(list -> ofCheckpoint(list, gpus, sink)).orElse(Answer.NOT_HERE);
  }

  private Answer ofCheckpoint(List<Checkpoint.Entry> entries, GpuTable gpus, SampleSink sink) {
    List<Claim> claims = new ArrayList<>();
    boolean whole = true;
    for (Checkpoint.Entry entry : entries) {
      if (pods.isGone(entry.podUid())) {
        sink.failed("pod " + entry.podUid(), "stale");
      } else {
        whole &= claim(entry.device(), holder(entry), gpus, claims, sink);
      }
    }
    return new Answer.Told(claims, whole);
  }

  private Holder holder(Checkpoint.Entry entry) {
    return pods.of(entry.podUid())
        .map(name -> Holder.pod(name.namespace(), name.pod(), entry.container()))
        .orElseGet(() -> Holder.pod("", entry.podUid(), entry.container()));
  }

  private static boolean claim(
      String device, Holder holder, GpuTable gpus, List<Claim> claims, SampleSink sink) {
    Optional<GpuPlace> place = DeviceId.place(device, gpus);
    place.ifPresent(known -> claims.add(new Claim(known, holder)));
    if (place.isEmpty()) {
      sink.failed(LabelText.clean(device), "unknown_gpu");
    }
    return place.isPresent();
  }
}
