package io.lapwing.agent.events;

import io.lapwing.common.log.Log;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Writes events on its own thread, in order, so that a hung disk cannot block evaluation. Bounded;
 * beyond that, events are dropped and counted.
 */
public final class LogQueue implements AutoCloseable {

  /** Beside those that the log itself buffers. */
  private static final int MAX_EVENTS = 5_000;

  private static final int BATCH = 256;

  private static final Log LOG = Log.of(LogQueue.class);

  /** The interval of retries after a failed write, and of the chore. */
  private static final Duration RETRY = Duration.ofSeconds(5);

  /** Far above the time of a batch on a working disk. */
  private static final Duration HANGS = Duration.ofSeconds(10);

  private static final long IDLE = Long.MIN_VALUE;

  private static final Duration CLOSING = Duration.ofSeconds(1);

  private final EventLog log;
  private final Runnable chore;

  /** Each element is a group that is written all or not at all. */
  private final BlockingQueue<List<Event>> queue = new LinkedBlockingQueue<>();

  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private volatile long writingSince = IDLE;
  private volatile boolean closed;

  /**
   * Starts the writer. {@code chore} runs every few seconds on the same thread, since it may hang
   * with the same disk.
   */
  public LogQueue(EventLog log, Runnable chore) {
    this.log = log;
    this.chore = chore;
    log.beforeSnapshot(this::queued);
    this.thread = new Thread(this::write, "event-log");
    this.thread.setDaemon(true);
    this.thread.start();
  }

  /** Never blocks. All of these are kept, or none. */
  public void add(List<Event> events) {
    if (waiting.get() + events.size() > MAX_EVENTS) {
      dropped.addAndGet(events.size());
      log.requireSnapshot();
    } else {
      waiting.addAndGet(events.size());
      queue.add(List.copyOf(events));
    }
  }

  /** Queued events are in the history already, and so in the snapshot about to be written. */
  private Runnable queued() {
    int groups = queue.size();
    return () -> {
      for (int i = 0; i < groups; i++) {
        List<Event> one = queue.poll();
        waiting.addAndGet(one == null ? 0 : -one.size());
      }
    };
  }

  /** Whether the events added so far reach the disk. */
  public Durability durability() {
    long since = writingSince;
    long writing = since == IDLE ? 0 : System.nanoTime() - since;
    return writing > HANGS.toNanos() ? log.hanging(Duration.ofNanos(writing)) : log.durability();
  }

  /** Events that were dropped; a later snapshot may contain them. */
  public long dropped() {
    return dropped.get() + log.dropped();
  }

  /** As {@link EventLog#restoreMissed}. */
  public void restoreMissed(Consumer<List<Event>> into) {
    log.restoreMissed(into);
  }

  /** As {@link EventLog#isComplete}. */
  public boolean isComplete() {
    return log.isComplete();
  }

  private void write() {
    while (!closed || !queue.isEmpty()) {
      List<PendingEvent> batch = batch();
      writingSince = System.nanoTime();
      if (!batch.isEmpty()
          || log.durability() instanceof Durability.NotDurable
          || log.isReplaced()) {
        log.appendPending(batch);
      }
      if (!closed && !belongsToAnother()) {
        chore();
      }
      writingSince = IDLE;
    }
  }

  /** Requests are for the agent that has the directory. */
  private boolean belongsToAnother() {
    return log.durability() instanceof Durability.NotDurable why
        && why.reason() == Durability.Reason.LOCKED;
  }

  /** It must not end the thread, or no further event would be written. */
  private void chore() {
    try {
      chore.run();
    } catch (RuntimeException bug) {
      LOG.error("requests were not read", bug);
    }
  }

  private List<PendingEvent> batch() {
    List<PendingEvent> batch = new ArrayList<>();
    try {
      List<Event> next = queue.poll(RETRY.toMillis(), TimeUnit.MILLISECONDS);
      while (next != null) {
        waiting.addAndGet(-next.size());
        batch.addAll(PendingEvent.group(next));
        next = batch.size() < BATCH ? queue.poll() : null;
      }
    } catch (InterruptedException closing) {
      return batch;
    }
    return batch;
  }

  /** Writes what waits, within the time that a shutdown may take. */
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

  /**
   * An unwritten event. {@code more}: counts only with the next one; the events of one kernel log
   * read are kept together, so that the position to resume from is known.
   */
  record PendingEvent(Event event, boolean more) {

    /** Events that are kept all or not at all. */
    static List<PendingEvent> group(List<? extends Event> events) {
      List<PendingEvent> pending = new ArrayList<>(events.size());
      for (int i = 0; i < events.size(); i++) {
        pending.add(new PendingEvent(events.get(i), i < events.size() - 1));
      }
      return pending;
    }
  }
}
