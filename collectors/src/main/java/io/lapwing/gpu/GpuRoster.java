package io.lapwing.gpu;

import io.lapwing.metric.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Every GPU seen since the agent started, by UUID, so that a removed GPU is reported. */
public final class GpuRoster {

  private static final Comparator<Known> BY_INDEX =
      Comparator.comparingInt((Known known) -> known.identity().index())
          .thenComparing(known -> known.identity().uuid());

  private final Map<String, Known> byUuid = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  /** The generation is that of the driver that reported the GPU last. */
  public record Known(GpuIdentity identity, Labels foreign, Labels own, long generation) {

    /** Name of the source that reads, or last read, the GPU at this index. */
    public String source() {
      return GpuRoster.source(identity.index());
    }
  }

  /** Name of the source of the GPU at this index, which may not have answered yet. */
  public static String source(int index) {
    return GpuSource.name(index);
  }

  public void present(Known gpu) {
    if (!gpu.equals(byUuid.put(gpu.identity().uuid(), gpu))) {
      changes.incrementAndGet();
    }
  }

  /** A version of {@link #all}: unchanged while the result is. */
  public long changes() {
    return changes.get();
  }

  public List<Known> all() {
    return byUuid.values().stream().sorted(BY_INDEX).toList();
  }

  /** The GPU that has this index now or had it last. */
  public Optional<Known> at(int index) {
    return byUuid.values().stream()
        .filter(known -> known.identity().index() == index)
        .max(Comparator.comparingLong(Known::generation));
  }

  /** The GPUs without a source: another GPU has their index now, or the driver counts fewer. */
  List<Known> gone(int count) {
    return all().stream().filter(known -> isGone(known, count)).toList();
  }

  private boolean isGone(Known known, int count) {
    int index = known.identity().index();
    return index >= count || at(index).filter(known::equals).isEmpty();
  }
}
