package io.lapwing.agent.events;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes events to their log on a thread of its own, in their order: a disk that hangs must keep
 * nobody from judging. What waits for it is bounded; beyond that, events are dropped and counted.
 */
public final class LogQueue implements AutoCloseable {

  /** Beside those that the log itself keeps for a disk that refuses. */
  private static final int MOST = 5_000;

  private static final int BATCH = 256;

  /** How soon a disk that refused is tried again. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final EventLog log;
  private final BlockingQueue<Appended> queue = new LinkedBlockingQueue<>(MOST);
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private volatile boolean closed;

  public LogQueue(EventLog log) {
    this.log = log;
    this.thread = new Thread(this::write, "event-log");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  /** Never waits. All of these are kept, or none, unless so many wait that some are dropped. */
  public void add(List<Event> events) {
    for (Appended event : Appended.together(events)) {
      if (!queue.offer(event)) {
        dropped.incrementAndGet();
        log.hasGaps();
      }
    }
  }

  /** Whether what was added before reaches the disk. */
  public Durability durability() {
    return log.durability();
  }

  /** Events that will never reach the disk. */
  public long dropped() {
    return dropped.get() + log.dropped();
  }

  private void write() {
    List<Appended> batch = new ArrayList<>(BATCH);
    while (!closed || !queue.isEmpty()) {
      batch.clear();
      try {
        Appended first = queue.poll(RETRY.toMillis(), TimeUnit.MILLISECONDS);
        if (first != null) {
          batch.add(first);
          queue.drainTo(batch, BATCH - 1);
        }
      } catch (InterruptedException closing) {
        queue.drainTo(batch);
      }
      if (!batch.isEmpty() || log.durability() instanceof Durability.NotDurable) {
        log.take(batch);
      }
    }
  }

  /** Writes what waits, for as long as a process that is told to end may take. */
  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(CLOSING.toMillis());
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    }
    if (!thread.isAlive()) {
      log.close();
    }
  }
}
