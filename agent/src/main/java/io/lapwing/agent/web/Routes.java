package io.lapwing.agent.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.lapwing.agent.actions.Runbooks;
import io.lapwing.agent.metrics.RequestMeter;
import io.lapwing.agent.web.Page.Answer;
import io.lapwing.agent.web.ResponseQuota.Timing;
import io.lapwing.json.JsonWriter;

final class Routes {
  /** Response memory for scrapes: four different pages of a large node. */
  static final int SCRAPE_BUDGET_BYTES = 1536 * 1024;

  /** Response memory for other routes, separate so that browsers cannot starve scrapers. */
  private static final int OTHER_BUDGET_BYTES = 1024 * 1024;

  /** Of the health alone, so that commands and probes get it whatever else is asked for. */
  private static final int HEALTH_BUDGET_BYTES = 256 * 1024;

  private final RoutesConfig routes;
  private final RequestMeter meter;
  private final ResponseQuota others;
  private final ResponseQuota health;

  private Routes(RoutesConfig routes, RequestMeter meter, Timing timing) {
    this.routes = routes;
    this.meter = meter;
    this.others = new ResponseQuota(0, OTHER_BUDGET_BYTES, timing);
    this.health = new ResponseQuota(0, HEALTH_BUDGET_BYTES, timing);
  }

  /** Registers all routes; {@code scrapes} are those in flight. */
  static void add(
      RoutesConfig config,
      String telemetryPath,
      ResponseQuota scrapes,
      WebContent content,
      RequestMeter meter) {
    Routes routes = new Routes(config, meter, scrapes.timing());
    routes.get(telemetryPath, "metrics", new MetricsPage(content.exposition()), scrapes);
    if (!telemetryPath.endsWith("/")) {
      routes.get(telemetryPath + "/", "metrics", new MetricsPage(content.exposition()), scrapes);
    }
    if (!telemetryPath.equals("/")) {
      LandingPage landing = new LandingPage(content.agent(), content.health(), telemetryPath);
      routes.get("/", "landing", landing);
    }
    routes.get("/-/healthy", "healthy", query -> Answer.text(200, "healthy"), routes.health);
    routes.get("/-/ready", "ready", query -> ready(content.readiness().get()), routes.health);
    routes.api("node", query -> json(JsonWriter.unicodePage(content.node().get())));
    // Always 200, whatever the verdict: the agent itself works.
    routes.get("/api/v1/health", "health", new HealthPage(content.health()), routes.health);
    routes.api("events", new EventsPage(content.events(), content.clock()));
    routes.api(
        "live", new LivePage(content.agent(), content.health(), content.events(), content.live()));
    routes.api("actions", new ActionsPage(content.agent(), content.health()));
    routes.ui();
    config.exception(HttpResponseException.class, routes::refuse);
  }

  private static Answer ready(WebContent.Readiness readiness) {
    return readiness instanceof WebContent.Readiness.NotReady not
        ? Answer.text(503, "not ready: " + not.reason())
        : Answer.text(200, "ready");
  }

  private static Answer json(byte[] body) {
    return Answer.ok("application/json", body);
  }

  private void api(String name, Page page) {
    get("/api/v1/" + name, name, new Gzipped(page));
  }

  private void ui() {
    get(UiFile.PATH, "ui", new Gzipped(new UiFile(UiFile.INDEX)));
    // Relative, so that it works behind a proxy with a path prefix.
    get(UiFile.PATH + "/", "ui", query -> Answer.moved("../ui"));
    for (String file : UiFile.PARTS) {
      ui(file);
    }
    for (String runbook : Runbooks.shipped().names()) {
      ui(UiFile.RUNBOOKS + "/" + runbook + ".md");
    }
  }

  private void ui(String file) {
    get(UiFile.PATH + "/" + file, "ui", new Gzipped(new UiFile(file)));
  }

  private void get(String path, String name, Page page) {
    get(path, name, page, others);
  }

  private void get(String path, String name, Page page, ResponseQuota quota) {
    Route route = new Route(name, page, quota, meter);
    routes.get(path, route);
    // Javalin's own HEAD handling omits GET's headers.
    routes.head(path, route);
  }

  /** Unknown path, or a method other than GET and HEAD. */
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
      case 404 -> "not found; see / for the available paths";
      case 405 -> "only GET and HEAD are supported";
      default -> "refused";
    };
  }
}
