package io.lapwing.dashboards;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.lapwing.simulator.EngineLoad;
import io.lapwing.simulator.EnginePage;
import io.lapwing.simulator.FakeEngine;
import io.lapwing.simulator.FakeRas;
import io.lapwing.simulator.RasJob;
import io.lapwing.stack.Prometheus;
import io.lapwing.stack.PrometheusSettings;
import io.lapwing.stack.Series;
import io.lapwing.stack.ShippedRules;
import io.lapwing.stack.SimulatedNode;
import io.lapwing.stack.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;

/**
 * Simulated nodes, each with its agent, an inference engine and NCCL's RAS, a page of a drain
 * controller, and a real Prometheus with all rules that scrapes them.
 */
final class LiveFleet implements AutoCloseable {

  static final Duration EVERY = Duration.ofSeconds(5);

  private static final String CLUSTER = "demo";

  private final Path dir;
  private final Deque<AutoCloseable> parts = new ArrayDeque<>();
  private final List<Target> targets = new ArrayList<>();
  private final Prometheus prometheus;
  private final FakeRas ras;

  LiveFleet(Path dir) throws IOException {
    this.dir = dir;
    this.prometheus =
        kept(
            Prometheus.start(
                dir.resolve("prometheus"), PrometheusSettings.every(EVERY).withRules(rules())));
    this.ras = kept(FakeRas.start(0, RasJob.of(1, 1)));
    add("node-broken", shipped("broken"), "--inference.scrape=" + engine("vllm"));
    add("node-slow", shipped("slow"), "--nccl.ras=127.0.0.1:" + ras.port());
    add("node-held", shipped("held"), "--inference.scrape=" + engine("sglang"));
    // Rules that compare the GPUs of a model ask for 32 of them.
    add("node-well", shipped("well"));
    // Its GPUs do not support SM activity.
    add(SimulatedNode.ofType(dir.resolve("node-old"), "node-old", "p4d.24xlarge", shipped("old")));
    // Part of an NVLink domain; the state of IMEX comes from DCGM.
    add(
        SimulatedNode.ofType(
            dir.resolve("tray"),
            "node-tray",
            "p6e-gb200.36xlarge",
            shipped("tray"),
            "--dcgm.engine=localhost:5555"));
    targets.add(schedulers());
    targets.add(controller());
    targets.add(Target.node("127.0.0.1:" + closedPort(), CLUSTER, "node-gone"));
    prometheus.scrape(targets);
    startNcclRas();
  }

  /** What prometheus-slurm-exporter and kube-state-metrics report, by one address. */
  private Target schedulers() throws IOException {
    byte[] page =
        """
        slurm_node_cpu_total{node="node-broken",status="drained"} 192
        slurm_node_cpu_total{node="node-gone",status="idle"} 192
        kube_node_spec_unschedulable{node="node-old"} 0
        """
            .getBytes(StandardCharsets.UTF_8);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/metrics",
        exchange -> {
          exchange.sendResponseHeaders(200, page.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(page);
          }
        });
    server.start();
    parts.push(() -> server.stop(0));
    return Target.node("127.0.0.1:" + server.getAddress().getPort(), CLUSTER, "controller")
        .with("job", "schedulers");
  }

  private Target controller() throws IOException {
    return Target.node("127.0.0.1:" + kept(new FakeController()).port(), CLUSTER, "slurm1")
        .with("job", "lapwing-drain");
  }

  /** An address without a listener. */
  private static int closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private <T extends AutoCloseable> T kept(T part) {
    parts.push(part);
    return part;
  }

  /** Hourly recordings run with the others, because a test does not wait for an hour. */
  private List<Path> rules() throws IOException {
    Path copies = Files.createDirectories(dir.resolve("rules"));
    List<Path> files = new ArrayList<>();
    for (Path set : List.of(Repository.RULES, Repository.RULES.resolve("drain"))) {
      files.addAll(ShippedRules.copy(set, copies, "https://runbooks.test/"));
    }
    for (Path file : files) {
      String often = Files.readString(file).replaceAll("(?m)^( +interval:) .*$", "$1 5s");
      Files.writeString(file, often);
    }
    return files;
  }

  private void add(String name, String scenario, String... flags) {
    add(SimulatedNode.start(dir.resolve(name), name, scenario, flags));
  }

  private void add(SimulatedNode started) {
    SimulatedNode node = kept(started);
    targets.add(node.target(CLUSTER));
    prometheus.scrape(targets);
  }

  /** A scenario of these tests. */
  private String shipped(String scenario) throws IOException {
    Path file = dir.resolve(scenario + ".yaml");
    try (var text =
        Objects.requireNonNull(LiveFleet.class.getResourceAsStream(scenario + ".yaml"))) {
      Files.write(file, text.readAllBytes());
    }
    return file.toString();
  }

  private URI engine(String kind) throws IOException {
    EngineLoad load = new EngineLoad(System.nanoTime());
    return kept(FakeEngine.start(0, () -> page(kind, load))).uri();
  }

  private static String page(String kind, EngineLoad load) {
    load.workUntil(System.nanoTime());
    return EnginePage.of(kind).text(load);
  }

  /** NCCL names processes: those of the ranks, once they are on the page. */
  private void startNcclRas() {
    List<Series> ranks =
        await()
            .atMost(Duration.ofMinutes(5))
            .until(
                () -> prometheus.query("lapwing_training_info{instance=\"node-slow\"}"),
                found -> found.size() == 8);
    RasJob job = RasJob.of(2, 8).host("10.0.0.0", "127.0.0.1").advance("AllReduce", 5);
    for (Series rank : ranks) {
      job.pid(Integer.parseInt(rank.label("rank")), Integer.parseInt(rank.label("pid")));
    }
    ras.jobs(job.missing(1, false));
  }

  Prometheus prometheus() {
    return prometheus;
  }

  @Override
  public void close() {
    while (!parts.isEmpty()) {
      end(parts.pop());
    }
  }

  private static void end(AutoCloseable part) {
    try {
      part.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
