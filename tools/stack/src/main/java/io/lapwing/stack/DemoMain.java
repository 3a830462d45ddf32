package io.lapwing.stack;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * {@code lapwing demo --with-prometheus}: the servers of the demo with the shipped rules and
 * routing; prints a line for each alert. Runs until stopped.
 */
public final class DemoMain {

  private static final Duration SCRAPE = Duration.ofSeconds(5);
  private static final String CLUSTER = "demo";

  private DemoMain() {}

  public static void main(String[] args) throws InterruptedException {
    PrintStream out = System.err;
    try {
      run(DemoOptions.read(args), out);
    } catch (RuntimeException e) {
      out.println("lapwing: demo servers: " + e.getMessage());
      System.exit(1);
    }
  }

  private static void run(DemoOptions options, PrintStream out) throws InterruptedException {
    Path folder = options.folder();
    Path rules = options.repository().resolve("alert-rules");
    String runbooks = options.repository().resolve("docs/runbooks").toUri().toString();
    List<Path> copies =
        ShippedRules.copy(rules, folder, runbooks.endsWith("/") ? runbooks : runbooks + "/");
    AlertLines lines = new AlertLines(out);
    try (Webhook webhook = Webhook.start(lines::print)) {
      Path routing =
          ShippedRouting.write(
              rules.resolve("alertmanager/alertmanager.yml"),
              folder.resolve("alertmanager.yml"),
              webhook.url(),
              options.patience(),
              options.automation());
      try (Alertmanager alertmanager =
              Alertmanager.start(folder, routing, FreePort.preferring(9093));
          Prometheus prometheus =
              Prometheus.start(
                  folder,
                  PrometheusSettings.every(SCRAPE)
                      .listeningOn(FreePort.preferring(9090))
                      .withRules(copies)
                      .alerting(alertmanager.url()))) {
        prometheus.scrape(List.of(options.target(CLUSTER)));
        out.println(sign(prometheus, alertmanager, options.node()));
        // A signal ends this process and its children.
        new CountDownLatch(1).await();
      }
    }
  }

  private static String sign(Prometheus prometheus, Alertmanager alertmanager, String node) {
    return """

        Prometheus              http://localhost:%d/alerts
        Alertmanager            http://localhost:%d/
        Node %s in cluster %s. Each alert is printed below in one line.
      """
        .formatted(prometheus.url().getPort(), alertmanager.url().getPort(), node, CLUSTER);
  }
}
