package io.lapwing.gpu;

import io.lapwing.metric.Labels;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Every GPU that was ever seen since the agent started, by UUID: one that is gone must not vanish
 * without a word.
 */
public final class GpuRoster {

  private static final Comparator<Known> BY_INDEX =
      Comparator.comparingInt((Known known) -> known.identity().index())
          .thenComparing(known -> known.identity().uuid());

  private final Map<String, Known> byUuid = new ConcurrentHashMap<>();
  private final AtomicLong changes = new AtomicLong();

  /**
   * A GPU that was seen.
   *
   * @param foreign its labels on families with DCGM's names
   * @param own its labels on Lapwing's own families
   * @param generation of the driver under which it was seen last
   */
  public record Known(GpuIdentity identity, Labels foreign, Labels own, long generation) {}

  void present(Known gpu) {
    if (!gpu.equals(byUuid.put(gpu.identity().uuid(), gpu))) {
      changes.incrementAndGet();
    }
  }

  /** Another number than before where {@link #all} may be another. */
  public long changes() {
    return changes.get();
  }

  /** All of them, by index. */
  public List<Known> all() {
    return byUuid.values().stream().sorted(BY_INDEX).toList();
  }

  /** The GPU that has this index now, or had it last. */
  public Optional<Known> at(int index) {
    return byUuid.values().stream()
        .filter(known -> known.identity().index() == index)
        .max(Comparator.comparingLong(Known::generation));
  }

  /**
   * The GPUs that no source speaks for any more: another one has their index now, or the driver
   * counts fewer.
   *
   * @param count GPUs the driver counts now
   */
  List<Known> gone(int count) {
    return all().stream().filter(known -> isGone(known, count)).toList();
  }

  private boolean isGone(Known known, int count) {
    int index = known.identity().index();
    return index >= count || at(index).filter(known::equals).isEmpty();
  }
}
