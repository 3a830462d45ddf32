package io.lapwing.stack.history;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Queries of a server with the HTTP API of Prometheus. */
interface PrometheusApi {

  /** Whether a rule of this name is loaded. */
  boolean records(String name);

  /** The times at which each series of a query has a sample. */
  Map<Map<String, String>, List<Instant>> range(
      String query, Instant from, Instant to, Duration step);
}
