package io.lapwing.agent.web;

import static java.util.stream.Collectors.toSet;

import io.lapwing.agent.actions.Runbooks;
import io.lapwing.agent.config.Settings;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.web.KnownHosts;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.RequestMeter;
import io.lapwing.common.web.ResponseQuota.Timing;
import io.lapwing.common.web.Routes;
import io.lapwing.common.web.WebServer;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.common.web.WebSettings;
import io.lapwing.json.JsonWriter;
import io.lapwing.systemd.InheritedSocket;
import java.util.List;
import java.util.Set;

/** The web server with the pages of the agent. */
public final class AgentServer {

  private AgentServer() {}

  /** See {@link WebServer#start}. */
  public static WebServer start(Settings.Web settings, WebContent content, RequestMeter meter)
      throws ConfigException, ListenException {
    return start(settings, content, meter, List.of());
  }

  /** The same with the sockets that the service manager holds; those are used where they match. */
  public static WebServer start(
      Settings.Web settings,
      WebContent content,
      RequestMeter meter,
      List<InheritedSocket> inherited)
      throws ConfigException, ListenException {
    return start(settings, content, meter, inherited, Timing.USUAL);
  }

  static WebServer start(
      Settings.Web settings,
      WebContent content,
      RequestMeter meter,
      List<InheritedSocket> inherited,
      Timing timing)
      throws ConfigException, ListenException {
    return WebServer.start(
        settings(settings, content.agent().get().hostname()),
        routes -> add(routes, settings.telemetryPath(), content),
        meter,
        inherited,
        timing);
  }

  private static WebSettings settings(Settings.Web web, String hostname) {
    return new WebSettings(
        web.listenAddresses(),
        web.systemdSocket(),
        web.unixSocket(),
        false,
        web.configFile(),
        web.maxRequests(),
        KnownHosts.of(web.guard().allowedHosts(), hostname));
  }

  private static void add(Routes routes, String telemetryPath, WebContent content) {
    routes.scrape(telemetryPath, new MetricsPage(content.exposition()));
    if (!telemetryPath.equals("/")) {
      routes.get("/", "landing", new LandingPage(content.agent(), content.health(), telemetryPath));
    }
    routes.probe("/-/healthy", "healthy", query -> Answer.text(200, "healthy"));
    // As dcgm-exporter, for its probes: the process answers. The verdict is that of /api/v1/health.
    if (!telemetryPath.equals("/health")) {
      routes.probe("/health", "healthy", query -> Answer.text(200, "OK"));
    }
    routes.probe("/-/ready", "ready", query -> ready(content.readiness().get()));
    api(routes, "node", query -> json(JsonWriter.unicodePage(content.node().get())));
    // Always 200, whatever the verdict: the agent itself works.
    routes.probe("/api/v1/health", "health", new HealthPage(content.health()));
    api(routes, "events", new EventsPage(content.events(), content.clock()));
    api(
        routes,
        "live",
        new LivePage(content.agent(), content.health(), content.events(), content.live()));
    api(routes, "actions", new ActionsPage(content.agent(), content.health()));
    ui(routes);
  }

  private static Answer ready(WebContent.Readiness readiness) {
    return readiness instanceof WebContent.Readiness.NotReady not
        ? Answer.text(503, "not ready: " + not.reason())
        : Answer.text(200, "ready");
  }

  private static Answer json(byte[] body) {
    return Answer.ok("application/json", body);
  }

  private static void api(Routes routes, String name, Page page) {
    routes.get("/api/v1/" + name, name, new Gzipped(page));
  }

  private static void ui(Routes routes) {
    routes.get(UiFile.PATH, "ui", new Gzipped(new UiFile(UiFile.INDEX)));
    // Relative, so that it works behind a proxy with a path prefix.
    routes.get(UiFile.PATH + "/", "ui", query -> Answer.moved("../ui"));
    ui(routes, "", UiFile.PARTS);
    ui(
        routes,
        UiFile.RUNBOOKS + "/",
        Runbooks.shipped().names().stream().map(name -> name + ".md").collect(toSet()));
  }

  /** One route per folder: Javalin takes three kilobytes of memory for each. */
  private static void ui(Routes routes, String folder, Set<String> files) {
    routes.get(
        UiFile.PATH + "/" + folder + "{file}",
        "ui",
        new Gzipped(
            query -> {
              String file = query.path("file");
              return files.contains(file)
                  ? new UiFile(folder + file).answer(query)
                  : Routes.NOT_FOUND;
            }));
  }
}
