package io.lapwing.collect;

import io.lapwing.metric.Series;
import java.util.List;
import java.util.Optional;

/**
 * Something that can hang on its own: one GPU, the driver, the kernel log. It gets one thread, and
 * there is never a second call to it while one is outstanding.
 */
public interface Source {

  /** Unique on the node, such as {@code gpu3}. */
  String name();

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

  /**
   * The series that is 1 while this source answers and 0 while it does not; empty while it is not
   * known which.
   */
  default Optional<Series> up() {
    return Optional.empty();
  }

  /** Gives back what the source holds; called on its own thread. */
  default void close() {}
}
