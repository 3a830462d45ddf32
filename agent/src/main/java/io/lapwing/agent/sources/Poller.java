package io.lapwing.agent.sources;

import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import io.lapwing.common.log.Log;
import java.time.Duration;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Reads every source independently of the others, and reports which of them hang. */
public final class Poller implements SourceSet, AutoCloseable {

  private final SnapshotBoard board;
  private final ReadErrors errors = new ReadErrors();
  private final Cadences cadences;
  private final PollClock clock;
  private final ScrapeForecast scrapes = new ScrapeForecast();
  private final Timetable timetable;
  private final Map<String, Running> running = new ConcurrentHashMap<>();
  private volatile List<Running> inOrder = List.of();
  private final AtomicLong added = new AtomicLong();
  private final Map<String, WorkerGroup> groups = new ConcurrentHashMap<>();
  private final StallMonitor stalls = new StallMonitor(groups::values);
  private final PauseMeter pauses = new PauseMeter(System::nanoTime);
  private final HungSourceDetector hangs;
  private final Thread watch;
  private volatile boolean started;

  /** Within which a round of all sources ends where nothing blocks. */
  private static final long READING_TIME = Duration.ofMillis(250).toNanos();

  /** Independent of the cadences: a service manager waits a minute for a heartbeat. */
  private static final Duration MAX_CHECK_INTERVAL = Duration.ofSeconds(10);

  /** A source is followed by those that it discovered, in the order of their discovery. */
  private static final Comparator<Running> ORDER =
      Comparator.comparingLong(Running::parent).thenComparing(Running::number);

  /** A source being read; {@code parent} discovered it, a root is its own. */
  private record Running(
      long parent, long number, String name, SourceWorker worker, WorkerGroup group) {}

  public Poller(SnapshotBoard board, Cadences cadences, PollClock clock) {
    this.board = board;
    this.cadences = cadences;
    this.clock = clock;
    this.timetable = new Timetable(clock.nanoTime(), scrapes);
    this.hangs = new HungSourceDetector(this::activities, () -> lookEvery(cadences), pauses);
    this.watch = new Thread(hangs, "source-watch");
    this.watch.setDaemon(true);
    this.stalls.start();
  }

  /** Starts the hang detection. All initial sources have been added. */
  public void start() {
    started = true;
    watch.start();
  }

  @Override
  public void add(Source source) {
    if (!running.containsKey(source.name())) { // sources check again in each of their rounds
      running.computeIfAbsent(source.name(), unseen -> begin(source));
      sort();
    }
  }

  /** Call after each change of {@code running}: the last of several threads sees all changes. */
  private synchronized void sort() {
    inOrder = running.values().stream().sorted(ORDER).toList();
  }

  private Running begin(Source source) {
    SourceWorker worker =
        new SourceWorker(source, board, errors, cadences, timetable, clock, pauses::pausedNanos);
    WorkerGroup group =
        groups.computeIfAbsent(
            source.workerGroup(), name -> new WorkerGroup(name, clock, stalls::wake));
    group.add(worker);
    long number = added.incrementAndGet();
    long parent = source.parent().map(running::get).map(Running::number).orElse(number);
    return new Running(parent, number, source.name(), worker, group);
  }

  /** A client requested the page; the reads before the next scrapes depend on it. */
  public void scraped(Object client) {
    scrapes.scraped(client, clock.nanoTime());
  }

  /**
   * Whether no finding is about to open or close: then the fast cadence is read for the scrapes
   * only.
   */
  public void steady(boolean now) {
    if (timetable.steady(now)) {
      planAgain();
    }
  }

  /** A client requested live values. */
  public void watched() {
    if (timetable.watched(clock.nanoTime())) {
      planAgain();
    }
  }

  private void planAgain() {
    cadences.touch();
    cadencesChanged();
  }

  /** The longest time between two evaluations now. */
  public Duration longestGap() {
    return Duration.ofNanos(timetable.longest(cadences.fast().toNanos(), clock.nanoTime()));
  }

  /** When the next readings after {@code last} should be evaluated: soon after them. */
  public long nextEvaluation(long last) {
    return timetable.evaluation(cadences.fast().toNanos(), last, READING_TIME);
  }

  /**
   * Sets what runs when a source begins or ceases to answer, or to hang, until when readings of the
   * same time have ended; must not block.
   */
  public void onChange(Consumer<Duration> listener) {
    Runnable changed = () -> listener.accept(Duration.ofNanos(READING_TIME));
    board.onChange(changed);
    hangs.onChange(changed);
  }

  private static Duration lookEvery(Cadences cadences) {
    return Collections.min(List.of(cadences.fast(), cadences.deadline(), MAX_CHECK_INTERVAL));
  }

  /**
   * Runs a task on the hang detection thread after its next check: a heartbeat no source can block.
   */
  public void afterNextCheck(Runnable task) {
    hangs.afterNextCheck(task);
  }

  @Override
  public void remove(String name) {
    Running gone = running.remove(name);
    if (gone != null) {
      sort();
      end(gone);
      board.forget(name);
    }
  }

  @Override
  public void wake(String name) {
    Running one = running.get(name);
    if (one != null) {
      one.worker().wake();
      one.group().changed();
    }
  }

  private static void end(Running one) {
    one.worker().stop();
    one.group().changed();
  }

  /** Wakes all workers after a change of the cadences, so that none sleeps for an old period. */
  public void cadencesChanged() {
    groups.values().forEach(WorkerGroup::changed);
  }

  /** Makes every source re-read which of its collectors are enabled. */
  public void collectorsChanged() {
    running.values().forEach(one -> one.worker().collectorsChanged());
    cadencesChanged();
  }

  /** What the worker of each source is doing now. */
  public List<SourceActivity> activities() {
    return inOrder.stream().map(one -> one.worker().activity()).toList();
  }

  /** Each source at this moment; a source is followed by those that it discovered. */
  public List<SourceView> sources() {
    return inOrder.stream()
        .map(one -> SourceView.of(one.worker(), board.snapshot(one.name()), clock.nanoTime()))
        .toList();
  }

  public ReadErrors errors() {
    return errors;
  }

  /** Whether the status of every source is known; the first /metrics page is complete then. */
  public boolean settled() {
    return started && activities().stream().allMatch(SourceActivity::settled);
  }

  @Override
  public void close() {
    watch.interrupt();
    running.values().forEach(Poller::end);
    stalls.end();
  }

  /** Logs once when a source hangs, and once when it recovers. */
  static final class HungSourceDetector implements Runnable {

    private static final Log LOG = Log.of(HungSourceDetector.class);

    private final Supplier<List<SourceActivity>> states;
    private final Supplier<Duration> period;
    private final PauseMeter pauses;
    private final Set<String> hanging = new HashSet<>();
    private final Queue<Runnable> afterCheck = new ConcurrentLinkedQueue<>();
    private volatile Runnable onChange = () -> {};

    HungSourceDetector(
        Supplier<List<SourceActivity>> states, Supplier<Duration> period, PauseMeter pauses) {
      this.states = states;
      this.period = period;
      this.pauses = pauses;
    }

    @Override
    public void run() {
      try {
        while (true) {
          Duration sleep = period.get();
          pauses.tick(sleep);
          Thread.sleep(sleep.toMillis());
          check();
          runTasks();
        }
      } catch (InterruptedException end) {
        Thread.currentThread().interrupt();
      }
    }

    void onChange(Runnable listener) {
      onChange = listener;
    }

    /** Runs the task after the next check, which proves that the checks still run. */
    void afterNextCheck(Runnable task) {
      afterCheck.add(task);
    }

    private void runTasks() {
      for (Runnable task = afterCheck.poll(); task != null; task = afterCheck.poll()) {
        task.run();
      }
    }

    private void check() {
      for (SourceActivity state : states.get()) {
        if (state.hung() && hanging.add(state.source())) {
          LOG.warn("source hangs", "source", state.source(), "in", state.doing());
          onChange.run();
        } else if (!state.hung() && hanging.remove(state.source())) {
          LOG.info("source recovered from a hung call", "source", state.source());
          onChange.run();
        }
      }
    }
  }
}
