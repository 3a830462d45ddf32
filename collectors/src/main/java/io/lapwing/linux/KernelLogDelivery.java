package io.lapwing.linux;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Hands over what was read, in its order and in batches, on a thread of its own. A read of the
 * device does not say whether more is there before it waits for it, so the reading thread cannot
 * know when a batch ends; and a listener that writes to a disk must not hold up the reading, since
 * the kernel overwrites what is not read.
 */
final class KernelLogDelivery implements Runnable {

  static final int BATCH = 256;
  private static final int QUEUE = 2 * BATCH;

  private sealed interface Item {
    record Message(KernelRecord record) implements Item {}

    record Lost(long messages) implements Item {}

    record Changed(KernelLogState state) implements Item {}
  }

  private final BlockingQueue<Item> queue = new ArrayBlockingQueue<>(QUEUE);

  /** Handed in and not yet through the listener. */
  private final AtomicInteger outstanding = new AtomicInteger();

  private final KernelLog.Listener listener;
  private Optional<KernelLogState> state = Optional.empty();
  private volatile OptionalLong done;

  KernelLogDelivery(KernelLog.Listener listener, OptionalLong done) {
    this.listener = listener;
    this.done = done;
  }

  /** The sequence up to which nothing is left that the listener has not seen. */
  OptionalLong done() {
    return done;
  }

  /** Waits while the listener is far behind. */
  void message(KernelRecord record) throws InterruptedException {
    put(new Item.Message(record));
  }

  void lost(long messages) throws InterruptedException {
    put(new Item.Lost(messages));
  }

  /** Tells a state that is another than the last one. */
  void state(KernelLogState now) throws InterruptedException {
    if (!state.equals(Optional.of(now))) {
      state = Optional.of(now);
      put(new Item.Changed(now));
    }
  }

  /** Everything up to there was read and, where it matters, handed in. */
  void read(OptionalLong sequence) {
    if (outstanding.get() == 0) {
      done = sequence;
    }
  }

  private void put(Item item) throws InterruptedException {
    outstanding.incrementAndGet();
    queue.put(item);
  }

  @Override
  public void run() {
    try {
      while (true) {
        List<Item> items = new ArrayList<>(BATCH);
        items.add(queue.take());
        queue.drainTo(items, BATCH - 1);
        handOver(items);
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void handOver(List<Item> items) {
    List<KernelRecord> batch = new ArrayList<>();
    for (Item item : items) {
      if (item instanceof Item.Message message) {
        batch.add(message.record());
      } else {
        flush(batch);
        guarded(() -> tell(item));
        outstanding.decrementAndGet();
      }
    }
    flush(batch);
  }

  private void tell(Item item) {
    if (item instanceof Item.Lost lost) {
      listener.lost(lost.messages());
    } else if (item instanceof Item.Changed changed) {
      listener.state(changed.state());
    }
  }

  private void flush(List<KernelRecord> batch) {
    if (batch.isEmpty()) {
      return;
    }
    List<KernelRecord> records = List.copyOf(batch);
    batch.clear();
    guarded(() -> listener.records(records));
    OptionalLong last = records.get(records.size() - 1).sequence();
    done = last.isPresent() ? last : done;
    outstanding.addAndGet(-records.size());
  }

  /** A listener that throws loses what it was told, not what comes after it. */
  private static void guarded(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException bug) {
      Thread thread = Thread.currentThread();
      Thread.@Nullable UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
      if (handler != null) {
        handler.uncaughtException(thread, bug);
      }
    }
  }
}
