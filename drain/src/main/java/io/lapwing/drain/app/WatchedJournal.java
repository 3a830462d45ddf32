package io.lapwing.drain.app;

import io.lapwing.common.log.Log;
import io.lapwing.drain.journal.Journal;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A journal whose last entries and last failure other threads can read. */
final class WatchedJournal implements Journal {
  private static final Log LOG = Log.of(WatchedJournal.class);
  private static final int KEPT = 1000;

  private final Journal journal;
  private final Consumer<Entry> listener;
  private final InstantSource clock;
  private final Deque<Entry> recent = new ArrayDeque<>();
  private Optional<String> problem = Optional.empty();

  /**
   * @param listener gets each new entry
   * @param clock for the time of entries: a round may be long, and its entries are not of its start
   */
  WatchedJournal(Journal journal, Consumer<Entry> listener, InstantSource clock) {
    this.journal = journal;
    this.listener = listener;
    this.clock = clock;
    journal.forEach(this::keep);
  }

  @Override
  public void append(Entry decided) throws IOException {
    Entry entry = new Entry(clock.instant(), decided.what(), decided.state(), decided.radius());
    try {
      journal.append(entry);
    } catch (IOException e) {
      failed(String.valueOf(e.getMessage()));
      throw e;
    }
    LOG.info(
        "decided",
        "node",
        entry.state().node(),
        "what",
        entry.what(),
        "phase",
        entry.state().phase().word(),
        "id",
        entry.state().id());
    synchronized (this) {
      problem = Optional.empty();
      keep(entry);
    }
    listener.accept(entry);
  }

  private synchronized void failed(String why) {
    if (problem.isEmpty()) {
      LOG.error("the journal cannot be written; nothing is done until it can", "reason", why);
    }
    problem = Optional.of(why);
  }

  private synchronized void keep(Entry entry) {
    recent.addLast(entry);
    if (recent.size() > KEPT) {
      recent.removeFirst();
    }
  }

  @Override
  public void compact(Instant now) throws IOException {
    journal.compact(now);
  }

  @Override
  public void forEach(Consumer<Entry> reader) {
    journal.forEach(reader);
  }

  /** The last entries, oldest first. */
  synchronized List<Entry> recent() {
    return List.copyOf(recent);
  }

  /** Why the last entry could not be written; empty if it was. */
  synchronized Optional<String> problem() {
    return problem;
  }
}
