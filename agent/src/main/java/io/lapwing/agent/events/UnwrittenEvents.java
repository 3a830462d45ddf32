package io.lapwing.agent.events;

import io.lapwing.agent.events.LogQueue.PendingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The events that wait for the disk, oldest first. Those of an incomplete group stay when they are
 * written: they may have to be written again. Not thread-safe, but for the counts.
 */
final class UnwrittenEvents {

  /** Events kept while the disk cannot be written; the oldest are dropped first. */
  static final int MAX = 1_000;

  private final List<PendingEvent> events = new ArrayList<>();

  /** How many of {@code events} are in the file already, but count only with those that follow. */
  private int written;

  private volatile int count;
  private final AtomicLong dropped = new AtomicLong();

  void add(List<PendingEvent> more) {
    events.addAll(more);
    counted();
  }

  boolean isEmpty() {
    return written == events.size();
  }

  /** Whether what is written so far consists of complete groups. */
  boolean betweenGroups() {
    return written == 0;
  }

  /** The oldest that are not written, at most so many; valid until the next change. */
  List<PendingEvent> oldest(int most) {
    return events.subList(written, Math.min(events.size(), written + most));
  }

  /** So many more are in the file: complete groups are removed. */
  void wrote(int more) {
    int complete = written + more;
    written = complete;
    while (complete > 0 && events.get(complete - 1).more()) {
      complete--;
    }
    events.subList(0, complete).clear();
    written -= complete;
    counted();
  }

  /** The file was lost: what is there of a group has to be written again. */
  void rewrite() {
    written = 0;
    counted();
  }

  void clear() {
    events.clear();
    rewrite();
  }

  /** Drops what is beyond the limit; returns whether there was something. */
  boolean dropOldest() {
    int oldest = events.size() - MAX;
    if (oldest <= written) {
      return false;
    }
    events.subList(0, oldest).clear();
    dropped.addAndGet(oldest);
    rewrite();
    return true;
  }

  private void counted() {
    count = events.size() - written;
  }

  /** Events that are in memory only. Thread-safe. */
  int count() {
    return count;
  }

  /** Events dropped because too many waited. Thread-safe. */
  long dropped() {
    return dropped.get();
  }
}
