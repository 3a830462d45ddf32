package io.lapwing.agent.poll;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The last snapshot of every source. Written by the sources' threads, read by anybody, never waited
 * for.
 */
public final class SnapshotBoard {

  private final ConcurrentHashMap<String, SourceSnapshot> snapshots = new ConcurrentHashMap<>();

  /** In the order in which sources appeared, so that the page keeps its order. */
  private final CopyOnWriteArrayList<String> order = new CopyOnWriteArrayList<>();

  private final AtomicLong version = new AtomicLong();

  public void publish(SourceSnapshot snapshot) {
    order.addIfAbsent(snapshot.source());
    snapshots.put(snapshot.source(), snapshot);
    version.incrementAndGet();
  }

  /** A source that is read no more leaves nothing behind. */
  public void forget(String source) {
    order.remove(source);
    snapshots.remove(source);
    version.incrementAndGet();
  }

  public List<SourceSnapshot> snapshots() {
    return order.stream().map(snapshots::get).filter(Objects::nonNull).toList();
  }

  /** Another number after every change. */
  public long version() {
    return version.get();
  }
}
