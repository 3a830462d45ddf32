package io.lapwing.drain.fake;

import io.lapwing.drain.journal.Journal;
import io.lapwing.drain.journal.Retention;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A journal in memory that outlives a controller, as a file does, and can kill it at any entry. */
public final class MemoryJournal implements Journal {

  private static final Retention RETENTION =
      new Retention(Duration.ofHours(2), Duration.ofDays(30), 100);

  private final List<Entry> entries = new ArrayList<>();

  /** Gets each entry that is written. */
  public Consumer<Entry> listener = entry -> {};

  private int until = Integer.MAX_VALUE;
  private boolean before;

  /**
   * Ends the controller at a later entry.
   *
   * @param appends how many entries from now
   * @param written false if that entry is lost, true if only what follows it is
   */
  public void killAfter(int appends, boolean written) {
    until = appends;
    before = !written;
  }

  @Override
  public void append(Entry entry) throws IOException {
    until--;
    boolean killed = until == 0;
    if (killed && before) {
      throw new Killed();
    }
    entries.add(entry);
    listener.accept(entry);
    if (killed) {
      throw new Killed();
    }
  }

  /** Compacted each time: a controller that starts has to do with what is kept. */
  @Override
  public void forEach(Consumer<Entry> reader) {
    if (!entries.isEmpty()) {
      compact(entries.get(entries.size() - 1).at());
    }
    List.copyOf(entries).forEach(reader);
  }

  @Override
  public void compact(Instant now) {
    List<Entry> kept = RETENTION.kept(entries, now);
    entries.clear();
    entries.addAll(kept);
  }

  /** The process ended. */
  public static final class Killed extends IOException {
    private static final long serialVersionUID = 1;
  }
}
