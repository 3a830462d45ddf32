package io.lapwing.stack.fleet;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Serves the metrics of every node of a fleet at {@code /node/INDEX/metrics}. */
final class PlayedFleet implements AutoCloseable {

  private static final Pattern PATH = Pattern.compile("/node/([0-9]+)/metrics");

  private final FleetPlan plan;
  private final Map<String, PageTemplate> templates;
  private final HttpServer server;
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final long start = System.nanoTime();

  private PlayedFleet(FleetPlan plan, Map<String, PageTemplate> templates, HttpServer server) {
    this.plan = plan;
    this.templates = Map.copyOf(templates);
    this.server = server;
  }

  /**
   * @param templates by scenario, one for each in the plan
   */
  static PlayedFleet start(FleetPlan plan, Map<String, PageTemplate> templates) throws IOException {
    InetSocketAddress anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    HttpServer server = HttpServer.create(anyPort, 1024);
    PlayedFleet fleet = new PlayedFleet(plan, templates, server);
    server.createContext("/node/", fleet::answer);
    server.setExecutor(fleet.threads);
    server.start();
    return fleet;
  }

  /** "127.0.0.1:41234". */
  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      Matcher path = PATH.matcher(exchange.getRequestURI().getPath());
      if (!path.matches() || Integer.parseInt(path.group(1)) >= plan.nodes().size()) {
        exchange.sendResponseHeaders(404, -1);
        return;
      }
      PageText page = page(plan.nodes().get(Integer.parseInt(path.group(1))));
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.sendResponseHeaders(200, page.length());
      try (OutputStream body = exchange.getResponseBody()) {
        body.write(page.bytes(), 0, page.length());
      }
    }
  }

  private PageText page(PlayedNode node) {
    PageTemplate template = templates.get(node.scenario());
    if (template == null) {
      throw new IllegalStateException("no recording of " + node.scenario());
    }
    return template.page(node, (System.nanoTime() - start) / 1e9);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
