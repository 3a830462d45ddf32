package io.lapwing.collect;

/**
 * The sources being read; a source that finds others (a driver its GPUs) tells it here.
 * Thread-safe.
 */
public interface SourceSet {

  /** Starts reading a source, unless one of that name is being read. */
  void add(Source source);

  /** Stops reading it; a call that is outstanding is waited for by nobody. */
  void remove(String name);
}
