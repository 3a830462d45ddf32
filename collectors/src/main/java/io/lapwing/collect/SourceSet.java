package io.lapwing.collect;

/** The active sources; one that discovers others adds them here. Thread-safe. */
public interface SourceSet {

  /** Starts reading a source unless one of that name is active. */
  void add(Source source);

  /** Stops reading a source without waiting for an outstanding call. */
  void remove(String name);

  /** Reads a source soon, after an event. */
  default void wake(String name) {}
}
