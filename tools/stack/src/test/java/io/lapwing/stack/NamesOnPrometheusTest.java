package io.lapwing.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lapwing.agent.names.Translation;
import io.lapwing.gpu.NameGeneration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One page with classic names and those of 4.9, under rules and queries with either. */
@Tag("slow")
@Tag("servers")
final class NamesOnPrometheusTest {

  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Duration EVERY = Duration.ofSeconds(1);
  private static final Path RULES = Path.of("..", "..", "alert-rules", "dcgm", "dcgm.yml");
  private static final Translation TO_NEW = new Translation(NameGeneration.V4_9);

  /** An XID now and then: one before the agent listens would not be counted. */
  private static final String SCENARIO =
      """
      summary: GPU 2 cannot remap a row, is hot, and has XID 48 again and again
      steps:
        - at: 1s
          set: {gpu.2.rows.failure: 1, gpu.2.temperature: 93, gpu.2.ecc.uncorrected.volatile.dram: 1}
        - {at: 20s, xid: [2 48]}
        - {at: 60s, xid: [2 48]}
        - {at: 120s, xid: [2 48]}
        - {at: 240s, xid: [2 48]}
      """;

  @TempDir Path dir = Path.of("");

  @BeforeAll
  static void needsTheServer() {
    assumeTrue(Prometheus.program().isPresent(), "this machine has no prometheus");
  }

  @Test
  void rules_for_dcgm_exporter_find_the_same_by_classic_names_and_translated() throws Exception {
    Path scenario = Files.writeString(dir.resolve("scenario.yaml"), SCENARIO);
    Path classic = Files.copy(RULES, dir.resolve("classic.yml"));
    Path translated =
        Files.writeString(
            dir.resolve("translated.yml"), TO_NEW.translate(Files.readString(RULES)).text());
    try (SimulatedNode node =
            SimulatedNode.start(
                dir.resolve("node"),
                "node-1",
                scenario.toString(),
                "--gpu.names=classic,4.9",
                "--metrics=full");
        DcgmPage page = DcgmPage.of(node.target("c").address());
        Prometheus first = prometheus("classic", classic, page);
        Prometheus second = prometheus("translated", translated, page)) {
      for (Prometheus each : List.of(first, second)) {
        await()
            .atMost(PATIENCE)
            .until(
                () ->
                    names(each).containsAll(Set.of("DcgmXid", "DcgmRowRemapFailure", "DcgmHot"))
                        && !each.query("gpu:dcgm_hot_celsius:max").isEmpty());
      }
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(descriptions(second)).isEqualTo(descriptions(first)));
      valuesAreEqual(first);
    }
  }

  private Prometheus prometheus(String name, Path rules, DcgmPage page) {
    Prometheus prometheus =
        Prometheus.start(
            dir.resolve(name), PrometheusSettings.every(EVERY).withRules(List.of(rules)));
    prometheus.scrape(List.of(Target.node(page.address(), "c", "node-1")));
    return prometheus;
  }

  /** Pending ones too: a hot GPU alerts after five minutes. */
  private static Set<String> names(Prometheus prometheus) {
    return prometheus.alerts().stream().map(Alert::name).collect(Collectors.toSet());
  }

  private static Set<String> descriptions(Prometheus prometheus) {
    return prometheus.alerts().stream()
        .map(alert -> alert.name() + " " + alert.state() + ": " + alert.annotation("description"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What was in MiB, MHz, percent and mJ has the value that it had. */
  private static void valuesAreEqual(Prometheus prometheus) {
    // A scrape that is being stored would be in the result of one query only.
    Instant at = Instant.now().minus(EVERY.multipliedBy(3));
    for (String classic :
        List.of(
            "sum(DCGM_FI_DEV_SM_CLOCK)",
            "avg by (Hostname) (DCGM_FI_DEV_GPU_UTIL{DCGM_FI_DRIVER_VERSION!=\"\"})",
            "max_over_time(DCGM_FI_DEV_MEM_CLOCK{gpu=\"0\"}[1m])",
            "sum(DCGM_FI_DEV_FB_USED) / sum(DCGM_FI_DEV_FB_TOTAL)",
            "sum(DCGM_FI_DEV_POWER_USAGE)",
            "sum(DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION)")) {
      String translated = TO_NEW.translate("expr: " + classic).text().substring("expr: ".length());
      assertThat(translated).isNotEqualTo(classic);
      List<Series> before = prometheus.query(classic, at);
      assertThat(before).as(classic).hasSize(1);
      assertThat(prometheus.query(translated, at))
          .as(translated)
          .singleElement()
          .satisfies(
              series ->
                  assertThat(series.value())
                      .isCloseTo(
                          before.get(0).value(), within(Math.abs(before.get(0).value()) * 1e-4)));
    }
  }

  /**
   * The families with DCGM's names of an agent's page: a page as of dcgm-exporter, since its rules
   * leave nodes with Lapwing to others.
   */
  private record DcgmPage(HttpServer server, URI agent) implements AutoCloseable {

    static DcgmPage of(String agent) throws IOException {
      DcgmPage page =
          new DcgmPage(
              HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0),
              URI.create("http://" + agent + "/metrics"));
      page.server.createContext("/metrics", page::answer);
      page.server.start();
      return page;
    }

    String address() {
      return "127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        byte[] page =
            text()
                .lines()
                .filter(line -> line.matches("(# (HELP|TYPE) )?DCGM_.*"))
                .map(line -> line + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4");
        exchange.sendResponseHeaders(200, page.length);
        exchange.getResponseBody().write(page);
      }
    }

    private String text() throws IOException {
      try {
        return HttpClient.newHttpClient()
            .send(HttpRequest.newBuilder(agent).build(), HttpResponse.BodyHandlers.ofString())
            .body();
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        throw new IOException(stopped);
      }
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }
}
