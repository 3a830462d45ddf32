package io.lapwing.common.web;

import io.javalin.config.RoutesConfig;
import io.javalin.http.Context;
import io.javalin.http.HttpResponseException;
import io.javalin.http.MethodNotAllowedResponse;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Submissions.From;
import java.util.Map;
import org.eclipse.jetty.ee10.servlet.ServletContextResponse;

/** The pages of a server, each with its share of the response memory. */
public final class Routes {
  /** Response memory for scrapes: four different pages of a large node. */
  static final int SCRAPE_BUDGET_BYTES = 1536 * 1024;

  /** Response memory for other routes, separate so that browsers cannot starve scrapers. */
  private static final int OTHER_BUDGET_BYTES = 1024 * 1024;

  /** Of the health only, so that other requests cannot block commands and probes. */
  private static final int HEALTH_BUDGET_BYTES = 256 * 1024;

  private static final String NOTHING_HERE = "not found; see / for the available paths";

  /** As for a path without a route. */
  public static final Answer NOT_FOUND = Answer.text(404, NOTHING_HERE);

  private final RoutesConfig routes;
  private final Map<String, Route> scraped;
  private final ResponseQuota scrapes;
  private final Submissions submissions;
  private final RequestMeter meter;
  private final ResponseQuota others;
  private final ResponseQuota health;

  private Routes(
      RoutesConfig routes,
      Map<String, Route> scraped,
      ResponseQuota scrapes,
      Submissions submissions,
      RequestMeter meter) {
    this.scraped = scraped;
    this.submissions = submissions;
    this.routes = routes;
    this.scrapes = scrapes;
    this.meter = meter;
    this.others = new ResponseQuota(0, OTHER_BUDGET_BYTES, scrapes.timing());
    this.health = new ResponseQuota(0, HEALTH_BUDGET_BYTES, scrapes.timing());
  }

  /**
   * {@code scraped} receives the routes of scrapes by path; {@code scrapes} are those in flight.
   */
  static Routes in(
      RoutesConfig config,
      Map<String, Route> scraped,
      ResponseQuota scrapes,
      Submissions submissions,
      RequestMeter meter) {
    Routes routes = new Routes(config, scraped, scrapes, submissions, meter);
    config.exception(HttpResponseException.class, routes::refuse);
    return routes;
  }

  /** The metrics, with the limit of parallel scrapes. */
  public void scrape(String path, Page page) {
    Route route = new Route("metrics", page, scrapes, meter);
    scraped.put(path, route);
    if (!path.endsWith("/")) {
      scraped.put(path + "/", route);
    }
  }

  /** A small page for commands and probes. */
  public void probe(String path, String name, Page page) {
    get(path, name, page, health);
  }

  public void get(String path, String name, Page page) {
    get(path, name, page, others);
  }

  /**
   * POST requests of authenticated users: by a password, a certificate, or over the Unix socket if
   * only its group can open it. Their content is JSON.
   */
  public void post(String path, String name, int mostBytes, Submission.Action action) {
    post(path, From.USER, name, mostBytes, action);
  }

  /** POST requests of any client. Their messages are signed; the action verifies them. */
  public void postSigned(String path, String name, int mostBytes, Submission.Action action) {
    post(path, From.SIGNED, name, mostBytes, action);
  }

  private void post(String path, From from, String name, int mostBytes, Submission.Action action) {
    submissions.add(path, from);
    routes.post(path, new SubmissionRoute(name, mostBytes, action, submissions.threads(), meter));
  }

  private void get(String path, String name, Page page, ResponseQuota quota) {
    JavalinRoute route = new JavalinRoute(new Route(name, page, quota, meter));
    routes.get(path, route);
    // Javalin's own HEAD handling omits GET's headers.
    routes.head(path, route);
  }

  /** Unknown path, or a method other than GET and HEAD. */
  private void refuse(HttpResponseException refusal, Context context) {
    meter.started();
    int status = refusal.getStatus();
    String allowed = submissions.allowed(context.path());
    if (refusal instanceof MethodNotAllowedResponse) {
      context.header("Allow", allowed);
    }
    Answer answer = Answer.text(status, reason(status, allowed));
    answer.writeHead(ServletContextResponse.getServletContextResponse(context.res()));
    context.result(answer.body());
    meter.answered("other", status);
  }

  private static String reason(int status, String allowed) {
    return switch (status) {
      case 404 -> NOTHING_HERE;
      case 405 -> "the supported methods are " + allowed;
      default -> "refused";
    };
  }
}
