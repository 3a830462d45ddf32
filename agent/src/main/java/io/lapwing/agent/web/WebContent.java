package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.metrics.Exposition;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * What there is to serve. Everything is asked for anew on each request.
 *
 * @param node a record, shown as JSON
 * @param events all that are kept, oldest first
 * @param live what holds at this moment
 * @param clock what {@code ?since=1h} counts from
 */
public record WebContent(
    Exposition exposition,
    Supplier<Landing> landing,
    Supplier<Readiness> readiness,
    Supplier<?> node,
    Supplier<HealthReport> health,
    Supplier<List<Event>> events,
    Supplier<Live> live,
    InstantSource clock) {}
