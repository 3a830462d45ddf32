package io.lapwing.agent.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** {@code lapwing_http_...}. */
final class HttpMetrics implements RequestMeter {
  private final MeterRegistry registry;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final Counter rejected;

  /** By route and status; cheaper than a lookup by Micrometer tags. */
  private final Map<String, Map<Integer, Counter>> answered = new ConcurrentHashMap<>();

  HttpMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.rejected =
        Counter.builder("lapwing.http.requests.rejected")
            .description("Scrapes refused because --web.max-requests were in flight.")
            .register(registry);
    Gauge.builder("lapwing.http.requests.in.flight", inFlight::get)
        .description("Requests being answered.")
        .register(registry);
  }

  @Override
  public void started() {
    inFlight.incrementAndGet();
  }

  @Override
  public void answered(String handler, int status) {
    inFlight.decrementAndGet();
    answered
        .computeIfAbsent(handler, unused -> new ConcurrentHashMap<>())
        .computeIfAbsent(status, code -> counter(handler, code))
        .increment();
  }

  @Override
  public void rejected() {
    rejected.increment();
  }

  private Counter counter(String handler, int status) {
    return Counter.builder("lapwing.http.requests")
        .tag("handler", handler)
        .tag("code", String.valueOf(status))
        .description("Requests answered, by route and status.")
        .register(registry);
  }
}
