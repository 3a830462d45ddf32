package io.lapwing.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlEvents;
import io.lapwing.nvml.NvmlGpu;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/** Waits on its own thread; a driver reload or a lost GPU requires a new event set. */
public final class XidWatch implements Runnable, AutoCloseable {

  /** Timeout of one wait; a wait that takes much longer hangs in the driver. */
  static final Duration WAIT = Duration.ofSeconds(5);

  /** The failure on GPUs without XID events. */
  static final String UNSUPPORTED = "unsupported";

  private static final Duration LATE = WAIT.multipliedBy(3);

  private static final Duration PAUSE = Duration.ofSeconds(5);

  /** An XID from NVML; the UUID is empty if unknown, the MIG GPU instance unless there is one. */
  public record Event(String uuid, long number, OptionalInt instance, Instant at) {}

  private final NvmlDriver driver;
  private final GpuRoster roster;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Consumer<Event> events;

  /** By index, of the GPUs in the event set: the roster may lack them or have an old index. */
  private final Map<Integer, String> uuids = new HashMap<>();

  /** Monotonic, so that setting the clock neither causes nor hides a hang. */
  private volatile long lastTurn;

  private volatile Optional<String> failure = Optional.empty();
  private volatile boolean stopped;
  private boolean started;

  /** A watch that is not started yet; it calls {@code events} on its own thread. */
  public XidWatch(
      NvmlDriver driver,
      GpuRoster roster,
      InstantSource clock,
      LongSupplier nanoTime,
      Consumer<Event> events) {
    this.driver = driver;
    this.roster = roster;
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.events = events;
    this.lastTurn = nanoTime.getAsLong();
  }

  /** Why XIDs are not received now; empty if they are. */
  public Optional<String> unavailable() {
    boolean late = nanoTime.getAsLong() - lastTurn > LATE.toNanos();
    return late ? Optional.of("hung") : failure;
  }

  synchronized void start() {
    if (!started) {
      started = true;
      lastTurn = nanoTime.getAsLong();
      Thread thread = new Thread(this, "xid-watch");
      thread.setDaemon(true);
      thread.start();
    }
  }

  @Override
  public void run() {
    try {
      while (!stopped) {
        long generation = driver.generation();
        boolean allowed = driver.release().enter(this);
        Optional<Reading<NvmlEvents>> opened =
            driver.nvml().filter(there -> allowed).map(this::open);
        if (opened.isPresent() && opened.get() instanceof Reading.Present<NvmlEvents> present) {
          listen(present.value(), generation);
        } else {
          driver.release().leave(this);
          failure = Optional.of(opened.map(XidWatch::reason).orElseGet(this::absence));
          pause();
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private String absence() {
    return driver.release().why().isPresent() ? GpuRelease.REASON : "driver_not_loaded";
  }

  private Reading<NvmlEvents> open(Nvml nvml) {
    List<NvmlGpu> gpus =
        IntStream.range(0, driver.gpuCount())
            .mapToObj(index -> nvml.gpu(index).toOptional())
            .flatMap(Optional::stream)
            .toList();
    uuids.clear();
    gpus.forEach(gpu -> gpu.uuid().toOptional().ifPresent(uuid -> uuids.put(gpu.index(), uuid)));
    return nvml.xidEvents(gpus);
  }

  /**
   * A failed set that worked before is replaced at once, since a lost GPU ends the wait for all
   * GPUs; a set that never worked is retried after a pause.
   */
  private void listen(NvmlEvents set, long generation) throws InterruptedException {
    failure = Optional.empty();
    boolean good = true;
    boolean answered = false;
    while (good && !stopped && isCurrent(generation)) {
      Reading<Optional<NvmlEvents.Xid>> received = set.await(WAIT);
      lastTurn = nanoTime.getAsLong();
      received.toOptional().flatMap(event -> event).ifPresent(this::report);
      good = received.failure().isEmpty();
      answered |= good;
      failure = received.failure();
    }
    set.close();
    driver.release().leave(this);
    if (!good && !answered) {
      pause();
    }
  }

  private boolean isCurrent(long generation) {
    return driver.generation() == generation
        && driver.nvml().isPresent()
        && driver.release().why().isEmpty();
  }

  private void report(NvmlEvents.Xid xid) {
    String uuid =
        Optional.ofNullable(uuids.get(xid.gpu()))
            .or(() -> roster.at(xid.gpu()).map(known -> known.identity().uuid()))
            .orElse("");
    events.accept(new Event(uuid, xid.number(), xid.instance(), clock.instant()));
  }

  private static String reason(Reading<NvmlEvents> absent) {
    return absent.failure().orElse(UNSUPPORTED);
  }

  private void pause() throws InterruptedException {
    lastTurn = nanoTime.getAsLong();
    Thread.sleep(PAUSE.toMillis());
    lastTurn = nanoTime.getAsLong();
  }

  @Override
  public void close() {
    stopped = true;
  }
}
