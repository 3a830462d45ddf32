package io.lapwing.agent.sources;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sources that share a thread. One that blocks keeps it and the others get a new one: a hundred
 * small files take one thread. Thread-safe.
 */
final class WorkerGroup {

  private final String name;
  private final PollClock clock;
  private final Runnable busy;

  private final List<SourceWorker> waiting = new ArrayList<>();

  /** All workers, including those that run or block. */
  private int size;

  /** The thread that runs the next turn; null while there is no source. */
  private @Nullable TurnThread current;

  /** {@code busy} is called when a turn starts for which others wait. */
  WorkerGroup(String name, PollClock clock, Runnable busy) {
    this.name = name;
    this.clock = clock;
    this.busy = busy;
  }

  synchronized void add(SourceWorker worker) {
    waiting.add(worker);
    size++;
    if (current == null) {
      current = startThread();
    } else if (current.turn == null) {
      LockSupport.unpark(current.thread);
    } else {
      busy.run();
    }
  }

  /** Wakes the group: a source was stopped and has one turn to clean up, or a cadence changed. */
  synchronized void changed() {
    if (current != null) {
      LockSupport.unpark(current.thread);
    }
  }

  /**
   * Lets the others continue after {@code nanos} of {@link System#nanoTime}; true if others wait.
   */
  synchronized boolean replaceIfBlocked(long nanos) {
    TurnThread now = current;
    if (now == null || now.turn == null || waiting.isEmpty()) {
      return false;
    }
    if (System.nanoTime() - now.since > nanos) {
      current = startThread();
    }
    return true;
  }

  private TurnThread startThread() {
    TurnThread fresh = new TurnThread();
    fresh.thread.start();
    return fresh;
  }

  /**
   * The worker that is due next, once it is due, or early if the thread is {@code awake} anyway;
   * null for a thread that has nothing left to do.
   */
  private @Nullable SourceWorker take(TurnThread who, boolean awake) {
    while (true) {
      long wait;
      synchronized (this) {
        if (current != who) {
          return null;
        }
        if (size == 0) {
          current = null;
          return null;
        }
        wait = Long.MAX_VALUE;
        SourceWorker next = null;
        for (SourceWorker worker : waiting) {
          long until = worker.nanosUntilTurn(awake);
          if (until < wait) {
            wait = until;
            next = worker;
          }
        }
        if (next != null && wait <= 0) {
          begin(who, next);
          return next;
        }
      }
      if (awake) {
        awake = false;
      } else {
        clock.park(this, wait);
      }
    }
  }

  private void begin(TurnThread who, SourceWorker next) {
    waiting.remove(next);
    who.turn = next;
    who.since = System.nanoTime();
    if (!waiting.isEmpty()) {
      busy.run();
    }
  }

  private synchronized void giveBack(TurnThread who, SourceWorker worker) {
    who.turn = null;
    if (worker.ended()) {
      size--;
    } else {
      waiting.add(worker);
    }
    if (current != null && current != who) {
      LockSupport.unpark(current.thread);
    }
  }

  /** A thread that runs turns until one of them blocks. */
  private final class TurnThread implements Runnable {

    final Thread thread = new Thread(this, "source-" + name);
    @Nullable SourceWorker turn;
    long since;

    TurnThread() {
      thread.setDaemon(true);
    }

    @Override
    public void run() {
      SourceWorker worker = take(this, false);
      while (worker != null) {
        try {
          worker.turn();
        } finally {
          giveBack(this, worker);
        }
        worker = take(this, true);
      }
    }
  }
}
