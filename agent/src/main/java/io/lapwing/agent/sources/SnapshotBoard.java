package io.lapwing.agent.sources;

import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** The last snapshot of every source. The sources' threads write it; readers never block. */
public final class SnapshotBoard {

  private final ConcurrentHashMap<String, SourceSnapshot> snapshots = new ConcurrentHashMap<>();

  private final AtomicLong version = new AtomicLong();
  private volatile Runnable onChange = () -> {};

  /** Sets what runs after a source that answered no longer does, or the reverse; must not block. */
  void onChange(Runnable listener) {
    onChange = listener;
  }

  public void publish(SourceSnapshot snapshot) {
    SourceSnapshot before = snapshots.put(snapshot.source(), snapshot);
    version.incrementAndGet();
    if (before != null && !before.access().equals(snapshot.access())) {
      onChange.run();
    }
  }

  /** Removes the snapshot of a source that is no longer read. */
  public void forget(String source) {
    snapshots.remove(source);
    version.incrementAndGet();
  }

  /** The last snapshot of a source; empty before its first round. */
  public Optional<SourceSnapshot> snapshot(String source) {
    return Optional.ofNullable(snapshots.get(source));
  }

  /** A number that increases with every change. */
  public long version() {
    return version.get();
  }
}
