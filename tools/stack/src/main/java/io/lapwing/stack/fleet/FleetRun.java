package io.lapwing.stack.fleet;

import com.sun.management.OperatingSystemMXBean;
import io.lapwing.stack.Prometheus;
import io.lapwing.stack.PrometheusSettings;
import io.lapwing.stack.RuleGroup;
import io.lapwing.stack.Series;
import io.lapwing.stack.Target;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** One fleet with one Prometheus, from an empty database to its figures. */
final class FleetRun {

  private static final String CLUSTER = "bench";

  private final FleetOptions options;
  private final Map<String, PageTemplate> templates;
  private final Path folder;

  FleetRun(FleetOptions options, Map<String, PageTemplate> templates, Path folder) {
    this.options = options;
    this.templates = Map.copyOf(templates);
    this.folder = folder;
  }

  FleetFigures of(int nodes) throws IOException, InterruptedException {
    FleetPlan plan = FleetPlan.of(nodes);
    PrometheusSettings settings =
        PrometheusSettings.every(options.interval())
            .withRules(rules())
            .withFlags("--storage.tsdb.retention.time=2h");
    try (PlayedFleet fleet = PlayedFleet.start(plan, templates);
        Prometheus prometheus = Prometheus.start(folder, settings)) {
      Instant start = Instant.now();
      prometheus.scrape(plan.nodes().stream().map(node -> target(fleet, node)).toList());
      sleep(options.warm());
      return measured(nodes, prometheus, start);
    }
  }

  /**
   * Copies of the shipped rules without intervals of groups, such as an hour, because most runs end
   * before the first evaluation of such a group.
   */
  private List<Path> rules() throws IOException {
    List<Path> copies = new ArrayList<>();
    for (Path file : KeepList.files(options.root().resolve("alert-rules"), ".yml")) {
      Path copy = folder.resolve(file.getFileName());
      Files.writeString(copy, Files.readString(file).replaceAll("(?m)^ +interval: \\w+$", ""));
      copies.add(copy);
    }
    return copies;
  }

  private static Target target(PlayedFleet fleet, PlayedNode node) {
    return Target.node(fleet.address(), CLUSTER, node.name())
        .with("__metrics_path__", "/node/" + node.index() + "/metrics");
  }

  private FleetFigures measured(int nodes, Prometheus prometheus, Instant start)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    OwnPage before = OwnPage.read(prometheus.url());
    long playerBefore = playerCpuNanos();
    Map<String, List<Double>> groups = new TreeMap<>();
    OwnPage after = before;
    while (System.nanoTime() - begin < options.measure().toNanos()) {
      sleep(options.interval());
      after = OwnPage.read(prometheus.url());
      after.groups().forEach((g, s) -> groups.computeIfAbsent(g, k -> new ArrayList<>()).add(s));
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    double playerCpu = (playerCpuNanos() - playerBefore) / 1e9 / seconds;
    double load = system().getSystemLoadAverage();
    Map<String, Double> medians = new TreeMap<>();
    groups.forEach((group, times) -> medians.put(group, median(times)));
    return new FleetFigures(
        nodes,
        after.value("prometheus_tsdb_head_series"),
        growth("prometheus_tsdb_head_samples_appended_total", before, after) / seconds,
        growth("process_cpu_seconds_total", before, after) / seconds,
        after.value("process_resident_memory_bytes") / (1 << 20),
        after.value("go_memstats_heap_inuse_bytes") / (1 << 20),
        playerCpu,
        number(prometheus, "max(scrape_duration_seconds)"),
        number(prometheus, "sum(1 - up)"),
        number(prometheus, "count(ALERTS{alertstate=\"firing\"})"),
        number(prometheus, "count({__name__=~\".+:.+\"})"),
        load,
        medians,
        queries(prometheus, start),
        errors(prometheus));
  }

  private static double growth(String name, OwnPage before, OwnPage after) {
    return after.sum(name) - before.sum(name);
  }

  private static double number(Prometheus prometheus, String expression) {
    List<Series> result = prometheus.query(expression);
    return result.isEmpty() ? 0 : result.get(0).value();
  }

  private List<QueryTime> queries(Prometheus prometheus, Instant start)
      throws IOException, InterruptedException {
    String window = 4 * options.interval().toSeconds() + "s";
    Map<String, String> chosen =
        Map.ofEntries(
            Map.entry("cluster", CLUSTER),
            Map.entry("node", "node-00000"),
            Map.entry("job", "4000"),
            Map.entry("__rate_interval", window),
            Map.entry("__interval", options.interval().toSeconds() + "s"),
            Map.entry("__interval_ms", String.valueOf(options.interval().toMillis())),
            Map.entry("__range", "10m"),
            Map.entry("__range_s", "600"),
            Map.entry("top", "10"),
            Map.entry("lines", "(.+)"),
            Map.entry("before", "1m"));
    List<QueryTime> times = new ArrayList<>();
    Path dashboards = options.root().resolve("grafana-dashboards");
    for (DashboardQuery query : DashboardQuery.in(dashboards, chosen)) {
      times.add(QueryTime.of(prometheus.url(), query, start));
    }
    return times;
  }

  private static List<String> errors(Prometheus prometheus) {
    List<String> errors = new ArrayList<>();
    for (RuleGroup group : prometheus.rules()) {
      for (RuleGroup.Rule rule : group.rules()) {
        if (!rule.error().isEmpty()) {
          errors.add(group.name() + ": " + rule.name() + ": " + rule.error());
        }
      }
    }
    return errors;
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().skip(values.size() / 2).findFirst().orElseThrow();
  }

  private static long playerCpuNanos() {
    return system().getProcessCpuTime();
  }

  private static OperatingSystemMXBean system() {
    return (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  }

  private static void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }
}
