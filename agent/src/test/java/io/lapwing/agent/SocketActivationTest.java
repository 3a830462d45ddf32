package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent under something that holds its ports as lapwing.socket does, and restarts it. */
class SocketActivationTest {

  /** The hosts to listen on, a dash, and the agent's command; prints the ports, then each pid. */
  private static final String MANAGER =
      """
      import os, signal, socket, sys
      split = sys.argv.index("-")
      sockets = []
      for host in sys.argv[1:split]:
          s = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
          if ":" in host:
              s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
          s.bind((host, sockets[0].getsockname()[1] if sockets and host != "127.0.0.1" else 0))
          s.listen(128)
          sockets.append(s)
      ports = [str(s.getsockname()[1]) for s in sockets]
      print(" ".join(ports), flush=True)
      command = [word.replace("PORT0", ports[0]).replace("PORT1", ports[-1]) for word in sys.argv[split + 1:]]
      child = 0
      def end(*_):
          os.kill(child, signal.SIGKILL)
          os._exit(0)
      signal.signal(signal.SIGTERM, end)
      while True:
          child = os.fork()
          if child == 0:
              high = [os.dup2(s.fileno(), 100 + i) for i, s in enumerate(sockets)]
              for i, s in enumerate(high):
                  os.dup2(s, 3 + i)
                  os.set_inheritable(3 + i, True)
              os.closerange(3 + len(sockets), 200)
              os.environ.update(LISTEN_FDS=str(len(sockets)), LISTEN_PID=str(os.getpid()))
              os.execvp(command[0], command)
          print(child, flush=True)
          os.waitpid(child, 0)
      """;

  @Test
  void thePortStaysTakenWhileTheAgentIsDown(@TempDir Path dir) throws Exception {
    try (AgentProcess manager = manager(dir, List.of("127.0.0.1"), "127.0.0.1:PORT0")) {
      int port = ports(manager).get(0);
      assertThat(status(port)).isEqualTo(200);
      long first = pid(manager, 0);

      ProcessHandle.of(first).orElseThrow().destroyForcibly();
      for (int attempt = 0; attempt < 100; attempt++) {
        assertThatThrownBy(() -> squat(port)).isInstanceOf(BindException.class);
      }

      // Waits in the queue of the socket until the next agent accepts it.
      assertThat(status(port)).isEqualTo(200);
      assertThat(pid(manager, 1)).isNotEqualTo(first);
      end(manager);
    }
  }

  @Test
  void everyListenAddressWithASocketUsesItAndOthersAreBound(@TempDir Path dir) throws Exception {
    int other = freePort();
    try (AgentProcess manager =
        manager(
            dir,
            List.of("127.0.0.1", "127.0.0.1"),
            "127.0.0.1:PORT0",
            "127.0.0.1:PORT1",
            "127.0.0.1:" + other)) {
      List<Integer> ports = ports(manager);

      assertThat(status(ports.get(0))).isEqualTo(200);
      assertThat(status(ports.get(1))).isEqualTo(200);
      assertThat(status(other)).isEqualTo(200);
      end(manager);
    }
  }

  @Test
  void aSocketOnAllAddressesServesTheConfiguredOneOnly(@TempDir Path dir) throws Exception {
    try (AgentProcess manager = manager(dir, List.of("0.0.0.0"), "127.0.0.1:PORT0")) {
      int port = ports(manager).get(0);

      assertThat(status(port)).isEqualTo(200);
      assertThat(manager.err()).contains("listens on more than web.listen-address");
      try (Socket other = new Socket("127.0.0.2", port)) {
        other
            .getOutputStream()
            .write(
                "GET /-/healthy HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(firstByte(other)).isEqualTo(-1);
      }
      end(manager);
    }
  }

  @Test
  void theSocketsAreServedInsteadOfTheListenAddresses(@TempDir Path dir) throws Exception {
    int other = freePort();
    try (AgentProcess manager =
        manager(
            dir,
            List.of("127.0.0.1", "127.0.0.1"),
            List.of("--web.systemd-socket", "--web.listen-address=127.0.0.1:" + other))) {
      List<Integer> ports = ports(manager);

      assertThat(status(ports.get(0))).isEqualTo(200);
      assertThat(status(ports.get(1))).isEqualTo(200);
      squat(other);
      end(manager);
    }
  }

  @Test
  void aSocketOfAnotherPortIsNotServed(@TempDir Path dir) throws Exception {
    int other = freePort();
    try (AgentProcess manager = manager(dir, List.of("127.0.0.1"), "127.0.0.1:" + other)) {
      ports(manager);

      assertThat(status(other)).isEqualTo(200);
      assertThat(manager.err()).contains("no web.listen-address names a socket");
      end(manager);
    }
  }

  private static AgentProcess manager(Path dir, List<String> hosts, String... addresses)
      throws IOException, InterruptedException {
    return manager(
        dir,
        hosts,
        Stream.of(addresses).map(address -> "--web.listen-address=" + address).toList());
  }

  private static AgentProcess manager(Path dir, List<String> hosts, List<String> flags)
      throws IOException, InterruptedException {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge").withoutEfa());
    List<String> words = new ArrayList<>(List.of("python3", "-c", MANAGER));
    words.addAll(hosts);
    words.add("-");
    List<String> agent = new ArrayList<>(List.of("agent"));
    agent.addAll(node.agentArguments());
    agent.addAll(flags);
    words.addAll(AgentProcess.command(agent));
    try {
      assumeTrue(new ProcessBuilder("python3", "--version").start().waitFor() == 0);
    } catch (IOException missing) {
      assumeTrue(false, "python3 is missing");
    }
    return AgentProcess.run(dir, words);
  }

  private static List<Integer> ports(AgentProcess manager) {
    manager.address();
    return Stream.of(line(manager, 0).split(" ", -1)).map(Integer::valueOf).toList();
  }

  private static long pid(AgentProcess manager, int start) {
    return Long.parseLong(line(manager, start + 1));
  }

  private static String line(AgentProcess manager, int number) {
    return await()
        .atMost(TestAgent.PATIENCE)
        .until(() -> manager.out().lines().toList(), lines -> lines.size() > number)
        .get(number);
  }

  private static int status(int port) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + port + "/-/healthy");
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(uri).timeout(TestAgent.PATIENCE).build(),
            BodyHandlers.discarding())
        .statusCode();
  }

  private static void squat(int port) throws IOException {
    new ServerSocket(port, 10, InetAddress.getLoopbackAddress()).close();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private static int firstByte(Socket socket) throws IOException {
    try {
      return socket.getInputStream().read();
    } catch (SocketException reset) {
      return -1;
    }
  }

  /** SIGTERM, so that the agent ends with it. */
  private static void end(AgentProcess manager) throws Exception {
    manager.terminate();
    manager.exitCode();
  }
}
