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
 * Delivers messages in order and in batches on its own thread: a read of the device blocks, so the
 * reading thread cannot tell when a batch is complete; and a listener that writes to disk must not
 * delay the reading, since the kernel overwrites unread messages.
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

  /** Queued or in the listener. */
  private final AtomicInteger outstanding = new AtomicInteger();

  private final KernelLog.Listener listener;
  private Optional<KernelLogState> state = Optional.empty();
  private volatile OptionalLong done;

  KernelLogDelivery(KernelLog.Listener listener, OptionalLong done) {
    this.listener = listener;
    this.done = done;
  }

  /** The sequence up to which the listener has received everything. */
  OptionalLong done() {
    return done;
  }

  /** Blocks while the queue is full. */
  void message(KernelRecord record) throws InterruptedException {
    put(new Item.Message(record));
  }

  void lost(long messages) throws InterruptedException {
    put(new Item.Lost(messages));
  }

  /** Reports a state if it differs from the last one. */
  void state(KernelLogState now) throws InterruptedException {
    if (!state.equals(Optional.of(now))) {
      state = Optional.of(now);
      put(new Item.Changed(now));
    }
  }

  /** Marks everything up to a sequence as read and, if of interest, queued. */
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
        guarded(() -> deliver(item));
        outstanding.decrementAndGet();
      }
    }
    flush(batch);
  }

  private void deliver(Item item) {
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

  /** A listener that throws loses this batch only. */
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
