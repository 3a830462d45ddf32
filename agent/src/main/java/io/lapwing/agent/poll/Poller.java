package io.lapwing.agent.poll;

import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Reads every source on a thread of its own, and says which of them hang. */
public final class Poller implements SourceSet, AutoCloseable {

  private final SnapshotBoard board;
  private final ReadErrors errors = new ReadErrors();
  private final Cadences cadences;
  private final PollClock clock;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private final AtomicLong added = new AtomicLong();
  private final Thread watch;
  private volatile boolean started;

  private record Running(long number, String name, SourceWorker worker, Thread thread) {}

  public Poller(SnapshotBoard board, Cadences cadences, PollClock clock) {
    this.board = board;
    this.cadences = cadences;
    this.clock = clock;
    this.watch = daemon(new HangWatch(this::states, lookEvery(cadences)), "source-watch");
  }

  /** Begins to look for sources that hang. All that are known from the beginning were added. */
  public void start() {
    started = true;
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
    return new Running(added.incrementAndGet(), source.name(), worker, thread);
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
    return inOrder().stream().map(one -> one.worker().state()).toList();
  }

  /** Each source with all that is known of it, in the order in which they were added. */
  public List<SourceView> sources() {
    return inOrder().stream()
        .map(
            one ->
                new SourceView(one.worker().state(), one.worker().up(), board.snapshot(one.name())))
        .toList();
  }

  private List<Running> inOrder() {
    return running.values().stream().sorted(Comparator.comparingLong(Running::number)).toList();
  }

  public ReadErrors errors() {
    return errors;
  }

  /** Whether of every source it is known what it is; the first page is complete then. */
  public boolean settled() {
    return started && states().stream().allMatch(SourceState::settled);
  }

  @Override
  public void close() {
    watch.interrupt();
    running.values().forEach(one -> one.worker().stop(one.thread()));
  }
}
