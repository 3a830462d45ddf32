package io.lapwing.agent.web;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.metrics.Exposition;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Supplier;

/**
 * The content of the web server. Each request calls the suppliers.
 *
 * @param agent the agent and its host
 * @param node a record, written as JSON
 * @param events the retained events, oldest first
 * @param live the current values
 * @param clock the reference for {@code ?since=1h}
 */
public record WebContent(
    Exposition exposition,
    Supplier<AgentInfo> agent,
    Supplier<Readiness> readiness,
    Supplier<?> node,
    Supplier<HealthReport> health,
    Supplier<List<Event>> events,
    Supplier<LiveSnapshot> live,
    InstantSource clock) {

  /** Whether the first evaluation is complete. */
  public sealed interface Readiness {

    record Ready() implements Readiness {}

    record NotReady(String reason) implements Readiness {}
  }

  /** The agent and its host, which may be simulated. */
  public record AgentInfo(String version, String hostname, boolean simulated, Links links) {

    /** Without links. */
    public AgentInfo(String version, String hostname, boolean simulated) {
      this(version, hostname, simulated, new Links("", ""));
    }
  }

  /**
   * URLs of this site; empty where there are none.
   *
   * @param runbooks the folder of the runbooks
   * @param dashboard of a node, with {@code {hostname}} and {@code {instance_id}}
   */
  public record Links(String runbooks, String dashboard) {

    private static final String OWN_RUNBOOKS = UiFile.PATH.substring(1) + "/" + UiFile.RUNBOOKS;

    /** The folder of the runbooks for the web UI: of the site, or else of the agent. */
    String runbookFolder() {
      return runbooks.isEmpty() ? OWN_RUNBOOKS : runbooks;
    }

    /** The dashboard of a node. */
    String dashboard(HealthReport.NodeName node) {
      return dashboard
          .replace("{hostname}", encoded(node.hostname()))
          .replace("{instance_id}", encoded(node.instanceId()));
    }

    private static String encoded(String value) {
      return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
  }
}
