package io.lapwing.jobs;

import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Label sets, created once for each series. */
final class JobLabels {

  private final Map<Object, Labels> known = new HashMap<>();
  private final Set<Object> used = new HashSet<>();

  private record Row(int gpu, Allocation allocation) {}

  Labels of(JobGpus.Gpu gpu, Allocation allocation) {
    return kept(new Row(gpu.index(), allocation), () -> row(gpu, allocation));
  }

  Labels of(JobGpus.Gpu gpu) {
    return kept(gpu, () -> plain(gpu));
  }

  Labels ofSource(String name) {
    return kept(name, () -> Labels.of("source", name));
  }

  /** Drops those not used since the last call. */
  void evictUnused() {
    known.keySet().retainAll(used);
    used.clear();
  }

  private Labels kept(Object key, Supplier<Labels> labels) {
    used.add(key);
    return known.computeIfAbsent(key, unseen -> labels.get());
  }

  private static Labels plain(JobGpus.Gpu gpu) {
    return Labels.of(
        JobMetrics.GPU, String.valueOf(gpu.index()), JobMetrics.UUID, LabelText.clean(gpu.uuid()));
  }

  private static Labels row(JobGpus.Gpu gpu, Allocation allocation) {
    GpuOwner owner = allocation.owner();
    return plain(gpu)
        .with("job_id", owner.jobId())
        .with("user", owner.user())
        .with("account", owner.account())
        .with("partition", owner.partition())
        .with("pod", owner.pod())
        .with("namespace", owner.namespace())
        .with("container", owner.container())
        .with("GPU_I_ID", allocation.place().instance());
  }
}
