package io.lapwing.agent.poll;

import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** Reads every source on a thread of its own, and says which of them hang. */
public final class Poller implements SourceSet, AutoCloseable {

  private final SnapshotBoard board;
  private final ReadErrors errors = new ReadErrors();
  private final Cadences cadences;
  private final PollClock clock;
  private final Map<String, Running> running = new ConcurrentSkipListMap<>();
  private final Thread watch;

  private record Running(SourceWorker worker, Thread thread) {}

  public Poller(SnapshotBoard board, Cadences cadences, PollClock clock) {
    this.board = board;
    this.cadences = cadences;
    this.clock = clock;
    this.watch = daemon(new HangWatch(this::states, lookEvery(cadences)), "source-watch");
  }

  /** Begins to look for sources that hang. */
  public void start() {
    watch.start();
  }

  @Override
  public void add(Source source) {
    running.computeIfAbsent(source.name(), unseen -> begin(source));
  }

  private Running begin(Source source) {
    SourceWorker worker = new SourceWorker(source, board, errors, cadences, clock);
    Thread thread = daemon(worker, "source-" + source.name());
    thread.start();
    return new Running(worker, thread);
  }

  private static Duration lookEvery(Cadences cadences) {
    return Collections.min(List.of(cadences.fast(), cadences.deadline()));
  }

  private static Thread daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void remove(String name) {
    Running gone = running.remove(name);
    if (gone != null) {
      gone.worker().stop(gone.thread());
      board.forget(name);
    }
  }

  /** How each source stands now. */
  public List<SourceState> states() {
    return running.values().stream().map(one -> one.worker().state()).toList();
  }

  /** Each source with all that is known of it, in the order in which they appeared. */
  public List<SourceView> sources() {
    Map<String, SourceSnapshot> snapshots = new LinkedHashMap<>();
    board.snapshots().forEach(snapshot -> snapshots.put(snapshot.source(), snapshot));
    List<SourceView> views = new ArrayList<>();
    for (SourceSnapshot snapshot : snapshots.values()) {
      Running one = running.get(snapshot.source());
      if (one != null) {
        views.add(view(one, Optional.of(snapshot)));
      }
    }
    running.forEach(
        (name, one) -> {
          if (!snapshots.containsKey(name)) {
            views.add(view(one, Optional.empty()));
          }
        });
    return views;
  }

  private static SourceView view(Running one, Optional<SourceSnapshot> snapshot) {
    return new SourceView(one.worker().state(), one.worker().up(), snapshot);
  }

  public ReadErrors errors() {
    return errors;
  }

  /** Whether of every source it is known what it is; the first page is complete then. */
  public boolean settled() {
    return !running.isEmpty() && states().stream().allMatch(SourceState::settled);
  }

  @Override
  public void close() {
    watch.interrupt();
    running.values().forEach(one -> one.worker().stop(one.thread()));
  }
}
