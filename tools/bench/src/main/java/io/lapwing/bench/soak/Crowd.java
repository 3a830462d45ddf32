package io.lapwing.bench.soak;

import io.lapwing.bench.Server;
import java.util.List;

/** Concurrent clients of an agent, more than a real node has. */
record Crowd(List<Visitor> visitors, List<Thread> threads) {

  private static final String GZIP = "Accept-Encoding: gzip\r\n";
  private static final String OPENMETRICS =
      "Accept: application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5\r\n";

  static Crowd of(Server server) {
    List<Visitor> visitors =
        List.of(
            new Visitor(server, "Prometheus, text, gzip", "/metrics", GZIP, 1),
            new Visitor(server, "Prometheus, OpenMetrics, gzip", "/metrics", OPENMETRICS + GZIP, 5),
            new Visitor(server, "curl, text", "/metrics", "", 3),
            new Visitor(server, "some collectors", "/metrics?collect%5B%5D=node", OPENMETRICS, 15),
            new Visitor(server, "the page's figures", "/api/v1/live", GZIP, 2),
            new Visitor(server, "the page", "/ui", GZIP, 10),
            new Visitor(server, "health", "/api/v1/health", "", 5),
            new Visitor(server, "events", "/api/v1/events?limit=200", GZIP, 10),
            new Visitor(server, "node", "/api/v1/node", "", 30));
    return new Crowd(visitors, visitors.stream().map(v -> new Thread(v, v.name())).toList());
  }

  void begin() {
    threads.forEach(thread -> thread.setDaemon(true));
    threads.forEach(Thread::start);
  }

  void end() throws InterruptedException {
    visitors.forEach(Visitor::end);
    for (Thread thread : threads) {
      thread.join(40_000);
    }
  }
}
