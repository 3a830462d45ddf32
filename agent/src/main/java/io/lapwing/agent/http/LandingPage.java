package io.lapwing.agent.http;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/** What a person sees who opens the address in a browser. */
record LandingPage(Supplier<Landing> landing, String telemetryPath) implements Page {
  private static final String STYLE =
      "body{font:16px/1.5 sans-serif;max-width:40em;margin:3em auto;padding:0 1em}"
          + ".simulated{background:#b00020;color:#fff;font-weight:bold;padding:.7em 1em}";

  @Override
  public Answer answer(Query query) {
    return Answer.ok(
        "text/html; charset=utf-8", html(landing.get()).getBytes(StandardCharsets.UTF_8));
  }

  private String html(Landing now) {
    return """
        <!DOCTYPE html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Lapwing on %1$s</title><style>%2$s</style></head>
        <body>
        %3$s<h1>Lapwing</h1>
        <p>Version %4$s on %1$s</p>
        <ul>
        <li><a href="%5$s">%5$s</a>: the page Prometheus scrapes</li>
        <li><a href="/api/v1/node">/api/v1/node</a>: what this node is, as JSON</li>
        <li><a href="/-/healthy">/-/healthy</a>: whether the agent serves</li>
        <li><a href="/-/ready">/-/ready</a>: whether it has looked at everything once</li>
        </ul>
        </body>
        </html>
        """
        .formatted(
            escape(now.hostname()), STYLE, banner(now), escape(now.version()), telemetryPath);
  }

  private static String banner(Landing now) {
    return now.simulated()
        ? "<p class=\"simulated\">SIMULATED NODE: none of this hardware exists.</p>\n"
        : "";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
