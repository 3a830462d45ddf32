package io.lapwing.agent.http;

import io.lapwing.agent.scrape.Exposition;
import java.util.function.Supplier;

/**
 * What there is to serve. Everything is asked for anew on each request.
 *
 * @param node a record, shown as JSON
 */
public record WebContent(
    Exposition exposition,
    Supplier<Landing> landing,
    Supplier<Readiness> readiness,
    Supplier<?> node) {}
