package io.lapwing.collect;

import io.lapwing.metric.Series;
import java.util.List;
import java.util.Optional;

/**
 * Something that can hang on its own: one GPU, the driver, one network device. Calls to it never
 * overlap, and one that hangs delays no other.
 */
public interface Source {

  /** Unique on the node, such as {@code gpu3}. */
  String name();

  /** Name of the source that discovers this one and precedes it in lists. */
  default Optional<String> parent() {
    return Optional.empty();
  }

  /** Worker group of what reads files of the kernel. */
  String FILES = "files";

  /** Worker group of what calls the GPUs' driver. */
  String GPUS = "gpus";

  /** Worker group of sources that query a service over a socket. */
  String SERVICES = "services";

  /**
   * Sources of one worker group share a thread, and wake it together. A source that blocks keeps
   * the thread, and the others get a new one.
   */
  default String workerGroup() {
    return FILES;
  }

  /** The part of the node that health rules evaluate; empty for GPUs, handled separately. */
  default Optional<Part> part() {
    return Optional.empty();
  }

  /** Whose series it has, for a page that is too large for all. May change between rounds. */
  default PageShare share() {
    return PageShare.NODE;
  }

  /** The user who chose the names of jobs in its labels; empty if the system did. */
  default Optional<NameOwner> nameOwner() {
    return Optional.empty();
  }

  /**
   * A user who chose names.
   *
   * @param uid of the user
   * @param jobConfirmed whether the kernel confirms the job's id; other names are the user's word
   */
  record NameOwner(long uid, boolean jobConfirmed) {}

  /** In the order in which they run. */
  List<Collector> collectors();

  /**
   * Reads what the due collectors share. {@code due} is the same list whenever the same are due.
   */
  default Access begin(List<Collector> due) {
    return Access.READY;
  }

  /** The series that is 1 while this source answers, else 0; empty while that is unknown. */
  default Optional<Series> up() {
    return Optional.empty();
  }

  /** Releases the source's resources; called on its own thread. */
  default void close() {}
}
