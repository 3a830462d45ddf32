package io.lapwing.bench.acceptance;

import io.lapwing.bench.MetricsPage;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The agent, started for this check on a free port. */
final class AgentUnderTest implements AutoCloseable {

  private static final Duration READY_WITHIN = Duration.ofSeconds(60);

  private final Process process;
  private final String address;
  private final Path log;

  private AgentUnderTest(Process process, String address, Path log) {
    this.process = process;
    this.address = address;
    this.log = log;
  }

  static AgentUnderTest start(List<String> command, Path folder)
      throws IOException, InterruptedException {
    int port = freePort();
    List<String> full = new ArrayList<>(command);
    full.add("--web.listen-address=127.0.0.1:" + port);
    Path log = folder.resolve("agent.log");
    Process process =
        new ProcessBuilder(full).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    AgentUnderTest agent = new AgentUnderTest(process, "http://127.0.0.1:" + port, log);
    try {
      agent.awaitReady();
    } catch (IOException notReady) {
      agent.close();
      throw notReady;
    }
    return agent;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private void awaitReady() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + READY_WITHIN.toNanos();
    while (true) {
      try {
        get("/-/ready");
        return;
      } catch (IOException notYet) {
        if (!process.isAlive() || System.nanoTime() > deadline) {
          throw new IOException("the agent does not get ready; its log is " + log, notYet);
        }
        Thread.sleep(100);
      }
    }
  }

  MetricsPage scrape() throws IOException {
    return MetricsPage.parse(page());
  }

  String page() throws IOException {
    return get("/metrics");
  }

  boolean isAlive() {
    return process.isAlive();
  }

  private String get(String path) throws IOException {
    try (InputStream in = URI.create(address + path).toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
