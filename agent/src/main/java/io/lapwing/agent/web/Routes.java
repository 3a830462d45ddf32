package io.lapwing.agent.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.lapwing.agent.metrics.RequestMeter;

/** The paths that are served. */
final class Routes {
  private static final RequestLimit UNLIMITED = new RequestLimit(0);

  /** Of scrapes: four whole pages of a large node that are not the same. */
  private static final int SCRAPES_BYTES = 1536 * 1024;

  /** Of all else, apart: no scraper waits for a browser. The longest list of events has room. */
  private static final int OTHERS_BYTES = 1024 * 1024;

  private final RoutesConfig routes;
  private final RequestMeter meter;
  private final ResponseBudget scrapes = new ResponseBudget(SCRAPES_BYTES);
  private final ResponseBudget others = new ResponseBudget(OTHERS_BYTES);

  private Routes(RoutesConfig routes, RequestMeter meter) {
    this.routes = routes;
    this.meter = meter;
  }

  /**
   * Adds them all.
   *
   * @param limit of the page
   */
  static void add(
      RoutesConfig config,
      String telemetryPath,
      RequestLimit limit,
      WebContent content,
      RequestMeter meter) {
    Routes routes = new Routes(config, meter);
    routes.get(
        telemetryPath, "metrics", new MetricsPage(content.exposition()), limit, routes.scrapes);
    if (!telemetryPath.equals("/")) {
      LandingPage landing = new LandingPage(content.landing(), content.health(), telemetryPath);
      routes.get("/", "landing", landing);
    }
    routes.get("/-/healthy", "healthy", query -> Answer.sentence(200, "healthy"));
    routes.get("/-/ready", "ready", new ReadyPage(content.readiness()));
    routes.api("node", new NodePage(content.node()));
    routes.api("health", new HealthPage(content.health()));
    routes.api("events", new EventsPage(content.events(), content.clock()));
    routes.api(
        "live",
        new LivePage(content.landing(), content.health(), content.events(), content.live()));
    routes.ui();
    config.exception(HttpResponseException.class, routes::refuse);
  }

  private void api(String name, Page page) {
    get("/api/v1/" + name, name, new Gzipped(page));
  }

  private void ui() {
    get(UiFile.PATH, "ui", new Gzipped(new UiFile(UiFile.INDEX)));
    // Its links are relative, so that they hold behind a proxy too.
    get(UiFile.PATH + "/", "ui", query -> Answer.moved("../ui"));
    for (String file : UiFile.PARTS) {
      get(UiFile.PATH + "/" + file, "ui", new Gzipped(new UiFile(file)));
    }
  }

  private void get(String path, String name, Page page) {
    get(path, name, page, UNLIMITED, others);
  }

  private void get(String path, String name, Page page, RequestLimit limit, ResponseBudget room) {
    Route route = new Route(name, page, limit, room, meter);
    routes.get(path, route);
    // Javalin would answer HEAD without the headers that GET has.
    routes.head(path, route);
  }

  /** No such path, or a method other than GET and HEAD. */
  private void refuse(HttpResponseException refusal, Context context) {
    meter.started();
    int status = refusal.getStatus();
    if (refusal instanceof MethodNotAllowedResponse) {
      context.header("Allow", "GET, HEAD");
    }
    context.status(status).contentType("text/plain; charset=utf-8").result(reason(status) + "\n");
    meter.answered("other", status);
  }

  private static String reason(int status) {
    return switch (status) {
      case 404 -> "no such page; / has the list";
      case 405 -> "only GET and HEAD are answered";
      default -> "refused";
    };
  }
}
