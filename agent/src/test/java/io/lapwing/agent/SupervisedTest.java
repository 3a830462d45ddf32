package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program under a stand-in for systemd: its notifications, and their times. */
class SupervisedTest {

  /** Java has no datagram sockets of this kind to listen on. */
  private static final String LISTENER =
      """
      import socket, sys
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      s.bind(sys.argv[1])
      print("bound", flush=True)
      while True:
          print(s.recv(4096).decode().replace("\\n", "|"), flush=True)
      """;

  @Test
  void itIsReadyWithAPageLivesWhileAGpuHangsAndNotifiesItsEnd(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge").withoutEfa());
    Path told = Files.createFile(dir.resolve("told"));
    Process listener = listener(dir.resolve("notify"), told);
    try (AgentProcess agent = agent(dir, node)) {
      await().atMost(TestAgent.PATIENCE).until(() -> told(told).contains("READY=1"));
      assertThat(agent.get("/-/ready").statusCode()).isEqualTo(200);
      await().atMost(TestAgent.PATIENCE).until(() -> told(told).contains("WATCHDOG=1"));
      assertThat(told(told))
          .anyMatch(state -> state.matches("STATUS=(healthy|degraded|unknown|failing): .+"));

      node.set("gpu.3.block.*", "forever");
      await().atMost(TestAgent.PATIENCE).until(() -> up(agent, 3), "0"::equals);
      long signs = signs(told);
      await().atMost(TestAgent.PATIENCE).until(() -> signs(told) > signs + 2);

      agent.terminate();
      assertThat(agent.exitCode()).isEqualTo(143);
      await().atMost(TestAgent.PATIENCE).until(() -> told(told).contains("STOPPING=1"));
      assertThat(told(told)).containsOnlyOnce("READY=1");
    } finally {
      listener.destroyForcibly();
    }
  }

  private static AgentProcess agent(Path dir, SimulatedNode node) throws IOException {
    List<String> words = new ArrayList<>(List.of("agent"));
    words.addAll(node.agentArguments());
    words.addAll(
        List.of("--web.listen-address=127.0.0.1:0", "--cadence.fast=500ms", "--poll.deadline=2s"));
    return AgentProcess.run(
        dir,
        AgentProcess.command(words),
        Map.of("NOTIFY_SOCKET", dir.resolve("notify").toString(), "WATCHDOG_USEC", "4000000"));
  }

  private static Process listener(Path socket, Path told) throws IOException {
    assumeTrue(
        socket.toString().getBytes(StandardCharsets.UTF_8).length < 108,
        "the path of the temporary folder is too long for a socket");
    try {
      Process listener =
          new ProcessBuilder("python3", "-X", "utf8", "-c", LISTENER, socket.toString())
              .redirectOutput(told.toFile())
              .start();
      await().atMost(TestAgent.PATIENCE).until(() -> told(told).contains("bound"));
      return listener;
    } catch (IOException missing) {
      assumeTrue(false, "python3 is missing");
      throw missing;
    }
  }

  /** What the page says of a GPU. */
  private static String up(AgentProcess agent, int gpu) throws Exception {
    return agent
        .get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("lapwing_gpu_up{gpu=\"" + gpu + "\""))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("");
  }

  private static List<String> told(Path file) throws IOException {
    return Files.readAllLines(file);
  }

  private static long signs(Path file) throws IOException {
    return told(file).stream().filter("WATCHDOG=1"::equals).count();
  }
}
