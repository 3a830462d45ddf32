package io.lapwing.agent.sources;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Sources that share a thread. One that blocks keeps it and the others get a new one: a hundred
 * small files cost one thread. Thread-safe.
 */
final class WorkerGroup {

  private final String name;
  private final PollClock clock;
  private final Runnable busy;

  private final List<SourceWorker> waiting = new ArrayList<>();

  /** All workers, including those that run or block. */
  private int size;

  /** The thread that gives the next turn; null while there is no source. */
  private @Nullable Carrier carrier;

  /** {@code busy} is called when a turn starts for which others wait. */
  WorkerGroup(String name, PollClock clock, Runnable busy) {
    this.name = name;
    this.clock = clock;
    this.busy = busy;
  }

  synchronized void add(SourceWorker worker) {
    waiting.add(worker);
    size++;
    if (carrier == null) {
      carrier = carry();
    } else if (carrier.turn == null) {
      LockSupport.unpark(carrier.thread);
    } else {
      busy.run();
    }
  }

  /** Wakes the group: a source was stopped and has one turn to clean up, or a cadence changed. */
  synchronized void changed() {
    if (carrier != null) {
      LockSupport.unpark(carrier.thread);
    }
  }

  /**
   * Lets the others continue after {@code patience} nanoseconds of {@link System#nanoTime}; true if
   * others wait.
   */
  synchronized boolean relieve(long patience) {
    Carrier now = carrier;
    if (now == null || now.turn == null || waiting.isEmpty()) {
      return false;
    }
    if (System.nanoTime() - now.since > patience) {
      carrier = carry();
    }
    return true;
  }

  private Carrier carry() {
    Carrier fresh = new Carrier();
    fresh.thread.start();
    return fresh;
  }

  /** The worker that is due next, once it is due; null for a thread that has nothing left to do. */
  private @Nullable SourceWorker take(Carrier who) {
    while (true) {
      long wait;
      synchronized (this) {
        if (carrier != who) {
          return null;
        }
        if (size == 0) {
          carrier = null;
          return null;
        }
        wait = Long.MAX_VALUE;
        SourceWorker next = null;
        for (SourceWorker worker : waiting) {
          long until = worker.nanosUntilTurn();
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
      clock.park(this, wait);
    }
  }

  private void begin(Carrier who, SourceWorker next) {
    waiting.remove(next);
    who.turn = next;
    who.since = System.nanoTime();
    if (!waiting.isEmpty()) {
      busy.run();
    }
  }

  private synchronized void giveBack(Carrier who, SourceWorker worker) {
    who.turn = null;
    if (worker.ended()) {
      size--;
    } else {
      waiting.add(worker);
    }
    if (carrier != null && carrier != who) {
      LockSupport.unpark(carrier.thread);
    }
  }

  /** A thread that gives turns until one of them blocks. */
  private final class Carrier implements Runnable {

    final Thread thread = new Thread(this, "source-" + name);
    @Nullable SourceWorker turn;
    long since;

    Carrier() {
      thread.setDaemon(true);
    }

    @Override
    public void run() {
      SourceWorker worker = take(this);
      while (worker != null) {
        try {
          worker.turn();
        } finally {
          giveBack(this, worker);
        }
        worker = take(this);
      }
    }
  }
}
