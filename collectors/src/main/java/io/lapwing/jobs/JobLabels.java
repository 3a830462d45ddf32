package io.lapwing.jobs;

import io.lapwing.metric.LabelText;
import io.lapwing.metric.Labels;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** The labels of what is on the page, made once for each. */
final class JobLabels {

  private final Map<Object, Labels> known = new HashMap<>();
  private final Set<Object> used = new HashSet<>();

  private record Row(int gpu, Claim claim) {}

  Labels of(JobGpus.Gpu gpu, Claim claim) {
    return kept(new Row(gpu.index(), claim), () -> row(gpu, claim));
  }

  Labels of(JobGpus.Gpu gpu) {
    return kept(gpu, () -> plain(gpu));
  }

  Labels ofSource(String name) {
    return kept(name, () -> Labels.of("source", name));
  }

  /** Forgets those that were not asked for since the last call. */
  void forgetOthers() {
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

  private static Labels row(JobGpus.Gpu gpu, Claim claim) {
    Holder holder = claim.holder();
    return plain(gpu)
        .with("job_id", holder.jobId())
        .with("user", holder.user())
        .with("account", holder.account())
        .with("partition", holder.partition())
        .with("pod", holder.pod())
        .with("namespace", holder.namespace())
        .with("container", holder.container())
        .with("GPU_I_ID", claim.place().instance());
  }
}
