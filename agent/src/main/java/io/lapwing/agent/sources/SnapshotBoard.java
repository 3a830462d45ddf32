package io.lapwing.agent.sources;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last snapshot of every source. Written by the sources' threads, read by anybody, never waited
 * for.
 */
public final class SnapshotBoard {

  private final ConcurrentHashMap<String, SourceSnapshot> snapshots = new ConcurrentHashMap<>();

  private final AtomicLong version = new AtomicLong();

  public void publish(SourceSnapshot snapshot) {
    snapshots.put(snapshot.source(), snapshot);
    version.incrementAndGet();
  }

  /** A source that is read no more leaves nothing behind. */
  public void forget(String source) {
    snapshots.remove(source);
    version.incrementAndGet();
  }

  /** What a source saw last; empty before its first round. */
  public Optional<SourceSnapshot> snapshot(String source) {
    return Optional.ofNullable(snapshots.get(source));
  }

  /** Another number after every change. */
  public long version() {
    return version.get();
  }
}
