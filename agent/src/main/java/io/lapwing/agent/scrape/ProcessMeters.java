package io.lapwing.agent.scrape;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** {@code process_...}: the names and units every Prometheus client library uses. */
final class ProcessMeters implements MeterBinder {
  private final Path self;
  private final double startSeconds =
      ProcessHandle.current().info().startInstant().map(Instant::toEpochMilli).orElse(0L) / 1e3;
  private volatile OwnProcess reading = OwnProcess.UNREAD;

  ProcessMeters(Path self) {
    this.self = self;
  }

  /** Reads once for all meters, so that they belong together. */
  void refresh() {
    try {
      reading = OwnProcess.read(self);
    } catch (IOException e) {
      reading = OwnProcess.UNREAD;
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder("process.cpu", this, meters -> meters.reading.cpuSeconds())
        .baseUnit("seconds")
        .description("CPU time this process has used, user and system.")
        .register(registry);
    Gauge.builder("process.resident.memory", () -> reading.residentBytes())
        .baseUnit("bytes")
        .description("Resident memory of this process.")
        .register(registry);
    Gauge.builder("process.threads", () -> reading.threads())
        .description("Threads of this process, the JVM's own included.")
        .register(registry);
    Gauge.builder("process.open.fds", () -> reading.openFds())
        .description("Open file descriptors of this process.")
        .register(registry);
    Gauge.builder("process.max.fds", () -> reading.maxFds())
        .description("Most file descriptors this process may have open.")
        .register(registry);
    Gauge.builder("process.start.time", () -> startSeconds)
        .baseUnit("seconds")
        .description("When this process started, since the Unix epoch.")
        .register(registry);
  }
}
