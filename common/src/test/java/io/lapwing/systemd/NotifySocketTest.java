package io.lapwing.systemd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Against a real datagram socket: Java cannot listen on one, so Python prints what it receives, one
 * line per message.
 */
class NotifySocketTest {

  private static final String LISTENER =
      """
      import socket, sys
      name = sys.argv[1]
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      s.bind("\\0" + name[1:] if name.startswith("@") else name)
      print("bound", flush=True)
      for _ in range(int(sys.argv[2])):
          print(s.recv(4096).decode().replace("\\n", "|"), flush=True)
      """;

  private static final String DEAF =
      """
      import socket, sys, time
      s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
      s.bind("\\0" + sys.argv[1][1:])
      print("bound", flush=True)
      time.sleep(600)
      """;

  @Test
  void aMessageArrivesOnASocketWithAPath(@TempDir Path dir) throws Exception {
    assertThat(receivedOn(dir.resolve("notify").toString())).isEqualTo("READY=1|STATUS=größer");
  }

  @Test
  void aMessageArrivesOnAnAbstractSocket() throws Exception {
    String name = "@lapwing-test-" + ProcessHandle.current().pid();

    assertThat(receivedOn(name)).isEqualTo("READY=1|STATUS=größer");
  }

  private static String receivedOn(String name) throws Exception {
    Process listener = listener(name, 1);
    try (BufferedReader said = listener.inputReader(StandardCharsets.UTF_8)) {
      assertThat(said.readLine()).isEqualTo("bound");

      assertThat(NotifySocket.in(Map.of("NOTIFY_SOCKET", name)).send("READY=1\nSTATUS=größer"))
          .isTrue();
      return said.readLine();
    } finally {
      listener.destroyForcibly();
    }
  }

  private static Process listener(String name, int messages) throws IOException {
    try {
      return new ProcessBuilder("python3", "-X", "utf8", "-c", LISTENER, name, "" + messages)
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException missing) {
      assumeTrue(false, "python3 is missing");
      throw missing;
    }
  }

  @Test
  void aSupervisorThatDoesNotReadDoesNotBlockTheSender() throws Exception {
    String name = "@lapwing-full-" + ProcessHandle.current().pid();
    Process deaf = new ProcessBuilder("python3", "-c", DEAF, name).start();
    try (BufferedReader said =
        new BufferedReader(new InputStreamReader(deaf.getInputStream(), StandardCharsets.UTF_8))) {
      assumeTrue("bound".equals(said.readLine()), "python3 is missing");
      Supervisor supervisor = NotifySocket.in(Map.of("NOTIFY_SOCKET", name));

      boolean refused = false;
      for (int sent = 0; sent < 100_000 && !refused; sent++) {
        refused = !supervisor.send("WATCHDOG=1");
      }

      assertThat(refused).isTrue();
    } finally {
      deaf.destroyForcibly();
    }
  }

  @Test
  void aMissingSocketIsNotAnError(@TempDir Path dir) {
    assertThat(send(dir.resolve("none").toString())).isFalse();
  }

  @Test
  void withoutASocketNothingIsSent() {
    assertThat(NotifySocket.in(Map.of())).isSameAs(Supervisor.NONE);
    for (String name : List.of("", "/", "@", "vsock:2:1234", "relative", "/" + "x".repeat(200))) {
      assertThat(NotifySocket.in(Map.of("NOTIFY_SOCKET", name))).isSameAs(Supervisor.NONE);
    }
  }

  private static boolean send(String name) {
    return NotifySocket.in(Map.of("NOTIFY_SOCKET", name)).send("READY=1");
  }

  @Test
  void theWatchdogIsForTheProcessWithItsPid() {
    Map<String, String> minute = Map.of("WATCHDOG_USEC", "60000000", "WATCHDOG_PID", "17");

    assertThat(NotifySocket.watchdog(minute, 17)).contains(Duration.ofMinutes(1));
    assertThat(NotifySocket.watchdog(minute, 18)).isEmpty();
    assertThat(NotifySocket.watchdog(Map.of("WATCHDOG_USEC", "500000"), 18))
        .contains(Duration.ofMillis(500));
    assertThat(NotifySocket.watchdog(Map.of("WATCHDOG_USEC", "0"), 18)).isEmpty();
    assertThat(NotifySocket.watchdog(Map.of("WATCHDOG_USEC", "soon"), 18)).isEmpty();
    assertThat(NotifySocket.watchdog(Map.of(), 18)).isEmpty();
  }
}
