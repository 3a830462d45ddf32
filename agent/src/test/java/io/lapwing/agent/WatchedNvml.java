package io.lapwing.agent;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlEvents;
import io.lapwing.nvml.NvmlGpu;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** The real binding, which reports the progress of the listener for XIDs. */
final class WatchedNvml implements Nvml {

  private final Nvml nvml;
  private final AtomicInteger waits = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger inits = new AtomicInteger();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger eventSets = new AtomicInteger();
  private volatile int told;

  WatchedNvml(Nvml nvml) {
    this.nvml = nvml;
  }

  /** Whether a listener waits for events; earlier ones are not delivered. */
  boolean listening() {
    return waits.get() > 0;
  }

  /** XIDs that the listener has passed on. */
  int told() {
    return told;
  }

  /** Successful {@code nvmlInit_v2} so far. */
  int inits() {
    return inits.get();
  }

  /** Successful {@code nvmlInit_v2} without {@code nvmlShutdown}. */
  int open() {
    return open.get();
  }

  int openEventSets() {
    return eventSets.get();
  }

  @Override
  public Reading<Boolean> init() {
    Reading<Boolean> answer = nvml.init();
    if (answer.failure().isEmpty()) {
      inits.incrementAndGet();
      open.incrementAndGet();
    }
    return answer;
  }

  @Override
  public void shutdown() {
    nvml.shutdown();
    open.decrementAndGet();
  }

  @Override
  public Reading<DriverVersions> versions() {
    return nvml.versions();
  }

  @Override
  public Reading<Integer> gpuCount() {
    return nvml.gpuCount();
  }

  @Override
  public Reading<NvmlGpu> gpu(int index) {
    return nvml.gpu(index);
  }

  @Override
  public Reading<NvmlEvents> xidEvents(List<NvmlGpu> gpus) {
    Reading<NvmlEvents> set = nvml.xidEvents(gpus).map(Watched::new);
    set.toOptional().ifPresent(there -> eventSets.incrementAndGet());
    return set;
  }

  @Override
  public boolean simulated() {
    return nvml.simulated();
  }

  @Override
  public List<String> missingSymbols() {
    return nvml.missingSymbols();
  }

  private final class Watched implements NvmlEvents {

    private final NvmlEvents events;

    Watched(NvmlEvents events) {
      this.events = events;
    }

    @Override
    public Reading<Optional<Xid>> await(Duration time) {
      // A listener that waits again has passed on its earlier events.
      told = heard.get();
      waits.incrementAndGet();
      Reading<Optional<Xid>> answer = events.await(time);
      answer.toOptional().flatMap(event -> event).ifPresent(event -> heard.incrementAndGet());
      return answer;
    }

    @Override
    public void close() {
      events.close();
      eventSets.decrementAndGet();
    }
  }
}
