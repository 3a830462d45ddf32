package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Too much of everything at one agent, in the heap that ships and below the unit's limit. */
@Tag("slow")
@Execution(CONCURRENT)
class CrowdTest {

  /** {@code MemoryMax} of the unit. */
  private static final long MEMORY_MAX = 256L << 20;

  private static final Duration LONG = Duration.ofMinutes(4);

  private static final int SCRAPERS = 200;
  private static final int KEPT = 200;
  private static final int HALF_OPEN = 300;
  private static final int FILES = 100_000;
  private static final int STORM = 20_000;

  @Test
  void scrapersHalfOpenConnectionsFilesAndStormsFindRoom(@TempDir Path dir) throws Exception {
    FaultyAgent faulty = FaultyAgent.on(dir);
    try (AgentProcess agent = AgentProcess.startShipped(dir, faulty.arguments())) {
      FaultyAgent.awaitReady(agent);
      FaultyAgent.awaitVerdict(agent, "healthy");
      long start = peak(agent);

      Map<Integer, Long> answers = scrapeTogether(agent.address());
      assertThat(answers.keySet()).isSubsetOf(200, 503);
      assertThat(answers.values().stream().mapToLong(Long::longValue).sum())
          .isEqualTo(5L * SCRAPERS);
      Observed.of(agent).keep("crowd", "after 5 times 200 scrapers: " + answers);
      long scraped = peak(agent);

      List<Socket> kept = keepAsking(agent.address());
      Observed.of(agent).keep("crowd", "beside " + KEPT + " connections that are kept open");
      assertThat(Observed.of(agent).gpusUp()).isEqualTo(8);
      for (Socket one : kept) {
        one.close();
      }

      List<Socket> loris = halfOpen(agent.address());
      Observed.of(agent).keep("crowd", "beside " + HALF_OPEN + " half-open connections");
      assertThat(Observed.of(agent).gpusUp()).isEqualTo(8);
      for (Socket one : loris) {
        one.close();
      }

      Path steps = faulty.node().dir().resolve("run/lapwing/steps");
      Files.createDirectories(steps);
      for (int i = 0; i < FILES; i++) {
        Files.createFile(steps.resolve("job-" + i + ".steps"));
      }
      await()
          .atMost(LONG)
          .until(
              () ->
                  FaultyAgent.sum(FaultyAgent.page(agent), "lapwing_training_files_rejected_total")
                      > 1_000);
      FaultyAgent.awaitEvaluation(agent);
      Observed.of(agent).keep("crowd", "beside 100,000 step files");
      assertThat(Observed.of(agent).gpusUp()).isEqualTo(8);
      long filed = peak(agent);

      faulty
          .kmsg()
          .append(
              IntStream.range(0, STORM)
                  .mapToObj(i -> FaultyAgent.xid(i % 8, 31, "pid=" + i % 90 + ", name=x, y"))
                  .toList());
      await()
          .atMost(LONG)
          .until(
              () ->
                  FaultyAgent.sum(FaultyAgent.page(agent), "lapwing_gpu_xid_errors_total")
                      == STORM);
      FaultyAgent.awaitEvaluation(agent);
      Observed last = Observed.of(agent).keep("crowd", "after 20,000 XIDs");
      assertThat(last.gpusUp()).isEqualTo(8);
      assertThat(last.verdict()).isEqualTo("healthy");

      Figures.keep(
          "crowd",
          "peak RSS in MiB at the start",
          start >> 20,
          "after the scrapers",
          scraped >> 20,
          "after the files",
          filed >> 20,
          "after the storm",
          peak(agent) >> 20);
      assertThat(peak(agent)).isLessThan(MEMORY_MAX);
      assertThat(agent.err()).doesNotContain("Exception", "OutOfMemoryError");
      agent.terminate();
      assertThat(agent.exitCode()).isEqualTo(143);
    }
  }

  /** The most memory it ever had, in bytes. */
  private static long peak(AgentProcess agent) throws IOException {
    return Files.readAllLines(Path.of("/proc/" + agent.pid() + "/status")).stream()
        .filter(line -> line.startsWith("VmHWM:"))
        .map(line -> line.replaceAll("\\D", ""))
        .mapToLong(kibibytes -> Long.parseLong(kibibytes) << 10)
        .findFirst()
        .orElseThrow();
  }

  /** Statuses, with how often each was answered. */
  private static Map<Integer, Long> scrapeTogether(String address) {
    HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    HttpRequest request = HttpRequest.newBuilder(URI.create(address + "/metrics")).build();
    Map<Integer, Long> all = new TreeMap<>();
    for (int round = 0; round < 5; round++) {
      List<CompletableFuture<Integer>> answers =
          IntStream.range(0, SCRAPERS)
              .mapToObj(
                  i ->
                      client
                          .sendAsync(request, HttpResponse.BodyHandlers.discarding())
                          .thenApply(HttpResponse::statusCode))
              .toList();
      answers.stream()
          .map(CompletableFuture::join)
          .collect(Collectors.groupingBy(status -> status, Collectors.counting()))
          .forEach((status, times) -> all.merge(status, times, Long::sum));
    }
    return all;
  }

  /**
   * Connections that have sent three requests and stay open, as those of scrapers do. From the
   * second request on, a server may keep state for each of them.
   */
  private static List<Socket> keepAsking(String address) throws IOException {
    URI uri = URI.create(address);
    byte[] request =
        "GET /-/ready HTTP/1.1\r\nHost: x\r\nUser-Agent: x\r\nAccept: text/plain\r\n\r\n"
            .getBytes(StandardCharsets.US_ASCII);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < KEPT; i++) {
      Socket socket = new Socket();
      sockets.add(socket);
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), 10_000);
      for (int round = 0; round < 3; round++) {
        socket.getOutputStream().write(request);
        assertThat(socket.getInputStream().read(new byte[4096])).isPositive();
      }
    }
    return sockets;
  }

  /** Connections that have sent half a request, and go on as slowly as they can. */
  private static List<Socket> halfOpen(String address) throws IOException {
    URI uri = URI.create(address);
    List<Socket> sockets = new ArrayList<>();
    for (int i = 0; i < HALF_OPEN; i++) {
      Socket socket = new Socket();
      socket.connect(new InetSocketAddress(uri.getHost(), uri.getPort()), 10_000);
      socket
          .getOutputStream()
          .write("GET /metrics HTTP/1.1\r\nHost: x\r\nX-".getBytes(StandardCharsets.US_ASCII));
      sockets.add(socket);
    }
    return sockets;
  }
}
