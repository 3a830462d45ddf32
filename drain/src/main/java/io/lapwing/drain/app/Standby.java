package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.Routes;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import io.prometheus.client.Collector;
import io.prometheus.client.Collector.MetricFamilySamples;
import io.prometheus.client.GaugeMetricFamily;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * While another controller leads: this one neither reads the journal nor accepts a request, and its
 * pages show that.
 */
final class Standby {
  private static final Log LOG = Log.of(Standby.class);
  private static final long PAUSE_MILLIS = 200;
  private static final int MOST_BYTES = 1 << 20;

  private Standby() {}

  /** Returns when this process leads. */
  static void await(Supplier<Optional<String>> notLeading, DrainSettings settings)
      throws ConfigException, ListenException, InterruptedException {
    DrainMetrics metrics = new DrainMetrics();
    metrics.add(
        new Collector() {
          @Override
          public List<MetricFamilySamples> collect() {
            return List.of(leader(false));
          }
        });
    try (WebServer web =
        WebServer.start(
            settings.web(),
            routes -> add(routes, notLeading, metrics),
            metrics,
            List.of(),
            Timing.USUAL)) {
      web.urls().forEach(url -> LOG.info("waiting for the Lease", "address", url));
      while (notLeading.get().isPresent()) {
        Thread.sleep(PAUSE_MILLIS);
      }
    }
    LOG.info("this controller leads");
  }

  private static void add(
      Routes routes, Supplier<Optional<String>> notLeading, DrainMetrics metrics) {
    routes.scrape(
        "/metrics",
        query ->
            Answer.ok(
                "text/plain; version=0.0.4; charset=utf-8",
                metrics.text().getBytes(StandardCharsets.UTF_8)));
    routes.probe("/-/healthy", "healthy", query -> Answer.text(200, "healthy"));
    routes.probe("/-/ready", "ready", query -> refusal(notLeading));
    for (String name : List.of("alerts", "requests", "pause", "unpause")) {
      routes.post("/api/v1/" + name, name, MOST_BYTES, sent -> refusal(notLeading));
    }
    // Nothing of it is read: its sender repeats it.
    routes.postSigned("/api/v1/sns", "sns", MOST_BYTES, sent -> refusal(notLeading));
    routes.probe("/api/v1/status", "status", query -> refusal(notLeading));
  }

  private static Answer refusal(Supplier<Optional<String>> notLeading) {
    return Answer.text(503, notLeading.get().orElse("not ready: this controller begins to lead"));
  }

  static MetricFamilySamples leader(boolean leads) {
    return new GaugeMetricFamily(
        "lapwing_drain_leader",
        "Whether this controller may act: of several with one Lease, one does.",
        leads ? 1 : 0);
  }
}
