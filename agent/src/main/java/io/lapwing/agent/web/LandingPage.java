package io.lapwing.agent.web;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Operations;
import io.lapwing.common.text.TimeText;
import io.lapwing.common.web.Page;
import io.lapwing.common.web.Page.Answer;
import io.lapwing.common.web.Page.Query;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The HTML page at {@code /}: verdict, findings and links, all relative. A browser is redirected to
 * the web UI, unless it requests {@code /?plain}.
 */
record LandingPage(
    Supplier<WebContent.AgentInfo> agent, Supplier<HealthReport> health, String telemetryPath)
    implements Page {

  /** /api/v1/health has all of them. */
  private static final int MAX_FINDINGS = 50;

  private static final String STYLE =
      "body{font:16px/1.5 sans-serif;max-width:64em;margin:3em auto;padding:0 1em}"
          + ".simulated{background:#b00020;color:#fff;font-weight:bold;padding:.7em 1em}"
          + "table{border-collapse:collapse}td,th{padding:.2em .8em .2em 0;text-align:left;"
          + "vertical-align:top}.time{white-space:nowrap}.healthy{color:#1b6e20}.degraded{color:#8a5a00}"
          + ".unknown{color:#6a1b9a}.failing{color:#b00020}";

  /** The parameter with which a browser gets this page. */
  private static final String PLAIN = "plain";

  @Override
  public Answer answer(Query query) {
    if (isBrowser(query) && !query.names().contains(PLAIN)) {
      return Answer.found("ui");
    }
    byte[] page = html(agent.get(), health.get()).getBytes(StandardCharsets.UTF_8);
    return new Answer(200, "text/html; charset=utf-8", Map.of("Vary", "Accept"), page);
  }

  /** Browsers name HTML when they open a page; curl and Prometheus do not. */
  private static boolean isBrowser(Query query) {
    String accept = query.header("Accept");
    return accept != null && accept.contains("text/html");
  }

  private String html(WebContent.AgentInfo info, HealthReport report) {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Lapwing on %1$s</title><style>%2$s</style></head>
        <body>
        %3$s<h1>Lapwing</h1>
        <p>Version %4$s on %1$s</p>
        %6$s<ul>
        <li><a href="ui">/ui</a>: live web UI of this node</li>
        <li><a href="%7$s">%5$s</a>: Prometheus metrics</li>
        <li><a href="api/v1/health">/api/v1/health</a>: verdict, action and findings (JSON)</li>
        <li><a href="api/v1/events?since=24h">/api/v1/events</a>: events of the last 24 hours (JSON)</li>
        <li><a href="api/v1/live">/api/v1/live</a>: data of the web UI (JSON)</li>
        <li><a href="api/v1/node">/api/v1/node</a>: inventory and sources (JSON)</li>
        <li><a href="api/v1/actions">/api/v1/actions</a>: commands to drain, repair and return this node (JSON)</li>
        <li><a href="-/healthy">/-/healthy</a>: liveness check</li>
        <li><a href="-/ready">/-/ready</a>: readiness check</li>
        </ul>
        </body>
        </html>
        """
        .formatted(
            escape(info.hostname()),
            STYLE,
            banner(info.simulated() || report.simulated()),
            escape(info.version()),
            telemetryPath,
            health(report),
            telemetryPath.substring(1));
  }

  private static String banner(boolean simulated) {
    return simulated
        ? "<p class=\"simulated\">SIMULATED NODE: this hardware does not exist.</p>\n"
        : "";
  }

  private static String health(HealthReport report) {
    return """
        <h2 class="%1$s">%2$s, %3$s</h2>
        <p>%4$s</p>
        <p>Since %5$s, last evaluated %6$s, profile %7$s</p>
        """
            .formatted(
                report.verdict().text(),
                report.verdict().text().toUpperCase(Locale.ROOT),
                action(report),
                escape(report.summary()),
                TimeText.moment(report.since()),
                TimeText.moment(report.at()),
                escape(report.profile()))
        + operations(report.operations())
        + stopCosts(report)
        + findings(report)
        + slow(report)
        + tests(report);
  }

  private static String operations(Operations operations) {
    return operations
            .maintenance()
            .map(
                active ->
                    paragraph(
                        "In maintenance until "
                            + TimeText.moment(active.until())
                            + (active.note().isEmpty() ? "" : ": " + active.note())))
            .orElse("")
        + operations
            .released()
            .map(
                active ->
                    paragraph("The GPUs are released until " + TimeText.moment(active.until())))
            .orElse("");
  }

  private static String stopCosts(HealthReport report) {
    return report.stopCosts().stream()
        .limit(MAX_FINDINGS)
        .map(cost -> paragraph(cost.sentence()))
        .collect(Collectors.joining());
  }

  private static String tests(HealthReport report) {
    return report.operations().tests().stream()
        .limit(MAX_FINDINGS)
        .map(
            test ->
                paragraph(
                    "TEST "
                        + test.finding().rule()
                        + " on "
                        + report.name(test.finding().subject())
                        + ", no part of the verdict, until "
                        + TimeText.moment(test.until())))
        .collect(Collectors.joining());
  }

  private static String paragraph(String text) {
    return "<p>" + escape(text) + "</p>\n";
  }

  private static String action(HealthReport report) {
    return report.action() == Action.NONE
        ? "no action required"
        : "action: "
            + report.action().text()
            + report.urgency().map(urgency -> " (" + urgency.text() + ")").orElse("");
  }

  private static String slow(HealthReport report) {
    if (report.slowness().ranks().isEmpty()) {
      return "";
    }
    return report.slowness().ranks().stream()
        .limit(MAX_FINDINGS)
        .map(rank -> paragraph(rank.sentence()))
        .collect(
            Collectors.joining("", "<h2>Lost training time, no part of the verdict</h2>\n", ""));
  }

  private static String findings(HealthReport report) {
    if (report.findings().isEmpty()) {
      return "";
    }
    List<Finding> shown = report.findings().stream().limit(MAX_FINDINGS).toList();
    int more = report.findings().size() - shown.size();
    return shown.stream()
            .map(finding -> row(finding, report))
            .collect(
                Collectors.joining(
                    "",
                    "<table>\n<tr><th>severity</th><th>action</th><th>subject</th><th>what</th>"
                        + "<th>rule</th><th>since</th></tr>\n",
                    "</table>\n"))
        + (more > 0 ? "<p>and " + more + " more</p>\n" : "");
  }

  private static String row(Finding finding, HealthReport report) {
    String severity = finding.disposition().severity().text();
    return """
        <tr><td class="%s">%s</td><td>%s</td><td>%s</td><td title="%s">%s</td><td>%s</td><td class="time">%s</td></tr>
        """
        .formatted(
            severity,
            severity,
            finding.disposition().action().text(),
            escape(report.name(finding.subject())),
            escape(finding.detection().why()),
            escape(finding.detection().what()),
            escape(finding.rule()),
            TimeText.moment(finding.since()));
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
