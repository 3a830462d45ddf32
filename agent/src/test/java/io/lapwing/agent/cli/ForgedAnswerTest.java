package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.web.HealthJson;
import io.lapwing.common.config.ListenAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An ordinary user serves a forged verdict where the agent should be; root checks the node. */
class ForgedAnswerTest {

  /** An ordinary user's server: a port or a path, and the response. */
  private static final String SQUATTER =
      """
      import os, socket, sys
      os.setgid(65534)
      os.setuid(65534)
      if sys.argv[1] == "port":
          s = socket.socket()
          s.bind(("127.0.0.1", 0))
      else:
          s = socket.socket(socket.AF_UNIX)
          s.bind(sys.argv[1])
          os.chmod(sys.argv[1], 0o777)
      s.listen(5)
      print(s.getsockname()[1] if sys.argv[1] == "port" else 0, flush=True)
      body = open(0).read()
      while True:
          client, _ = s.accept()
          client.recv(65536)
          print("asked", flush=True)
          client.sendall(("HTTP/1.1 200 OK\\r\\nContent-Length: %d\\r\\n\\r\\n%s" % (len(body), body)).encode())
          client.close()
      """;

  private static final AgentClient CLIENT =
      new AgentClient(Duration.ofSeconds(10), Duration.ofSeconds(20), Duration.ofSeconds(30));

  @BeforeEach
  void root() throws IOException {
    Object uid = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    assumeTrue(uid.equals(0), "only root can run a program as another user");
  }

  private static Process squatter(String where) throws Exception {
    Process squatter =
        new ProcessBuilder("python3", "-c", SQUATTER, where)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var in = squatter.getOutputStream()) {
      in.write(HealthJson.write(MadeReports.judged(Instant.now())));
    }
    return squatter;
  }

  @Test
  void aPortThatAnotherUserHoldsMakesTheNodeUnknown() throws Exception {
    Process squatter = squatter("port");
    try (BufferedReader said = squatter.inputReader(StandardCharsets.UTF_8)) {
      int port = Integer.parseInt(String.valueOf(said.readLine()));
      AgentAddress address =
          AgentAddress.of(List.of(new ListenAddress("", port)), false).orElseThrow();

      CheckResult result = new Check(CLIENT).run(Optional.of(address));

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.problem().orElseThrow())
          .startsWith("another user may answer for the agent at http://127.0.0.1:" + port)
          .contains("port " + port + " is held by user 65534")
          .contains("not by root or lapwing");
      assertThat(result.json()).doesNotContain("xid_79");
      assertThat(said.ready()).as("asked").isFalse();
    } finally {
      squatter.destroyForcibly();
    }
  }

  @Test
  void aSocketThatAnotherUserPutThereIsNotAsked(@TempDir Path dir) throws Exception {
    open(dir);
    Path path = dir.toRealPath().resolve("agent.sock");
    Process squatter = squatter(path.toString());
    try (BufferedReader said = squatter.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("0");

      CheckResult result = new Check(CLIENT).run(AgentAddress.of(path), Optional.empty());

      assertThat(result.exitCode()).isEqualTo(3);
      assertThat(result.json()).doesNotContain("xid_79");
      assertThat(said.ready()).as("asked").isFalse();
    } finally {
      squatter.destroyForcibly();
    }
  }

  /** Lets everybody write there. */
  private static void open(Path dir) throws IOException {
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxrwxrwx"));
  }

  @Test
  void whoMaySpeakForTheAgent(@TempDir Path root) throws Exception {
    Path net = Files.createDirectories(root.resolve("proc/self/net"));
    Files.createDirectories(root.resolve("etc"));
    Files.writeString(root.resolve("etc/passwd"), "lapwing:x:997:997::/:/sbin/nologin\n");
    ServerOwner owner = new ServerOwner(root, Optional.of(1234L));
    AgentAddress address =
        AgentAddress.of(List.of(new ListenAddress("", 9754)), false).orElseThrow();

    for (long trusted : new long[] {0, 997, 1234}) {
      listening(net, trusted);
      assertThat(owner.objection(address)).isEmpty();
      assertThat(owner.objectionToAnswer(address)).isEmpty();
    }
    listening(net, 1000);
    assertThat(owner.objection(address).orElseThrow()).contains("user 1000");
    listening(net, 997, 1000);
    assertThat(owner.objection(address)).isPresent();
    listening(net);
    assertThat(owner.objection(address)).isEmpty();
    assertThat(owner.objectionToAnswer(address).orElseThrow()).contains("not visible");
    AgentAddress encrypted =
        AgentAddress.of(List.of(new ListenAddress("", 9754)), true).orElseThrow();
    listening(net, 1000);
    assertThat(owner.objection(encrypted)).isEmpty();
    assertThat(owner.objection(AgentAddress.parse("http://node7:9754"))).isEmpty();
  }

  private static void listening(Path net, long... uids) throws IOException {
    StringBuilder table = new StringBuilder("  sl  local_address\n");
    for (long uid : uids) {
      table.append("0: 00000000:261A 00000000:0000 0A 0:0 0:0 0 " + uid + " 0 1\n");
    }
    Files.writeString(net.resolve("tcp"), table);
  }
}
