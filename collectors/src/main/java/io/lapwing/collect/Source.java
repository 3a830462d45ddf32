package io.lapwing.collect;

import io.lapwing.metric.Series;
import java.util.List;
import java.util.Optional;

/**
 * Something that can hang on its own: one GPU, the driver, one network device. There is never a
 * second call to it while one is outstanding, and one that hangs delays no other.
 */
public interface Source {

  /** Unique on the node, such as {@code gpu3}. */
  String name();

  /** Name of the source that discovers this one, which is listed behind it. */
  default Optional<String> parent() {
    return Optional.empty();
  }

  /**
   * Sources of the same lane take turns on one thread for as long as none of them blocks; one that
   * does keeps the thread, and the others go on with another. By default a source has a thread of
   * its own.
   */
  default String lane() {
    return name();
  }

  /** The part of the node that health rules evaluate; empty for GPUs, handled separately. */
  default Optional<Part> part() {
    return Optional.empty();
  }

  /** In the order in which they run. */
  List<Collector> collectors();

  /**
   * Looks at the device once before the collectors that are due run.
   *
   * @param due the same list object whenever the same collectors are due
   */
  default Access begin(List<Collector> due) {
    return Access.READY;
  }

  /** The series that is 1 while this source answers, else 0; empty while that is unknown. */
  default Optional<Series> up() {
    return Optional.empty();
  }

  /** Gives back what the source holds; called on its own thread. */
  default void close() {}
}
