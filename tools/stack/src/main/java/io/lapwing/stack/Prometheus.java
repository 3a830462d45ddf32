package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A real Prometheus with its data and log in a folder. {@link #close} stops it and keeps the
 * folder.
 *
 * <pre>
 * {@code try (Prometheus prometheus = Prometheus.start(folder, PrometheusSettings.every(Duration.ofSeconds(2)).withRules(files))) { prometheus.scrape(List.of(Target.node("127.0.0.1:9754", "demo", "node-1"))); prometheus.query("lapwing_simulated"); } }
 * </pre>
 *
 * <p>All methods throw {@link ServerException} if it does not answer or returns an error.
 */
public final class Prometheus implements AutoCloseable {

  private final ServerProcess process;
  private final HttpJson http;
  private final Path targets;

  private Prometheus(ServerProcess process, HttpJson http, Path targets) {
    this.process = process;
    this.http = http;
    this.targets = targets;
  }

  /** The program if installed; tests are skipped without it. */
  public static Optional<Path> program() {
    return Programs.find("prometheus");
  }

  /**
   * Starts it and waits until it is ready.
   *
   * @throws ServerException if the program is missing, or with its log if it does not become ready
   */
  public static Prometheus start(Path folder, PrometheusSettings settings) {
    Path program =
        program().orElseThrow(() -> new ServerException("this machine has no prometheus"));
    // Relative paths in a configuration are relative to its folder.
    Path home = folder.toAbsolutePath();
    Path config = home.resolve("prometheus.yml");
    Path targets = home.resolve("targets.json");
    make(home);
    write(targets, PrometheusConfig.targets(List.of()));
    write(config, PrometheusConfig.yaml(settings, targets));
    List<String> command =
        new ArrayList<>(
            List.of(
                program.toString(),
                "--config.file=" + config,
                "--storage.tsdb.path=" + home.resolve("data"),
                "--web.listen-address=" + settings.listen(),
                "--log.level=info"));
    // An alert that fires before Alertmanager is discovered is resent only after a minute.
    command.add("--rules.alert.resend-delay=" + settings.scrapeEvery().toMillis() + "ms");
    command.addAll(settings.flags());
    ServerProcess process = ServerProcess.start("prometheus", home, command);
    return new Prometheus(
        process, process.awaitReady(Listening.awaited(process), "/-/ready"), targets);
  }

  private static void make(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Path fresh = file.resolveSibling(file.getFileName() + ".new");
      Files.writeString(fresh, text);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Scrapes only these targets, as job {@code lapwing}; takes effect within 5 s. */
  public void scrape(List<Target> these) {
    write(targets, PrometheusConfig.targets(these));
  }

  public URI url() {
    return http.address();
  }

  public long pid() {
    return process.pid();
  }

  /** Its whole log. */
  public String log() {
    return process.log();
  }

  /** Evaluates an expression now. */
  public List<Series> query(String expression) {
    return Series.read(data(http.post("/api/v1/query", Map.of("query", expression))));
  }

  /** Evaluates an expression at a time. */
  public List<Series> query(String expression, Instant at) {
    Map<String, String> form = Map.of("query", expression, "time", seconds(at));
    return Series.read(data(http.post("/api/v1/query", form)));
  }

  public List<Series> queryRange(String expression, Instant from, Instant to, Duration step) {
    Map<String, String> form =
        Map.of(
            "query",
            expression,
            "start",
            seconds(from),
            "end",
            seconds(to),
            "step",
            String.valueOf(step.toMillis() / 1000.0));
    return Series.read(data(http.post("/api/v1/query_range", form)));
  }

  private static String seconds(Instant at) {
    return String.valueOf(at.toEpochMilli() / 1000.0);
  }

  /** Pending and firing alerts. */
  public List<Alert> alerts() {
    List<Alert> alerts = new ArrayList<>();
    for (JsonNode alert : get("/api/v1/alerts").path("alerts")) {
      alerts.add(Alert.read(alert, alert.path("state").asText(), alert.path("activeAt").asText()));
    }
    return alerts;
  }

  /** Rule groups with the duration of their last evaluation. */
  public List<RuleGroup> rules() {
    return RuleGroup.read(get("/api/v1/rules"));
  }

  /** The {@code data} of any other path of the API, such as {@code /api/v1/status/tsdb}. */
  public JsonNode get(String path) {
    return data(http.get(path));
  }

  private static JsonNode data(JsonNode answer) {
    return answer.path("data");
  }

  @Override
  public void close() {
    process.close();
  }
}
