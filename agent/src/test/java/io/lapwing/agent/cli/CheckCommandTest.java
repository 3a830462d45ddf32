package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayOutput;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code check} and {@code replay} as commands. */
class CheckCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private static PrintStream to(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private int check(String... words) {
    return new CheckCommand(Map.of(), settings -> MadeReports.failing(), to(out), to(err))
        .run(List.of(words));
  }

  private int replay(String... words) {
    return new ReplayCommand(
            (request, output) -> {
              if (request.profile().isPresent()) {
                throw new java.io.IOException(request.kmsg() + ":3: no line of a kernel log");
              }
              output.end(MadeReports.failing(), new ReplayOutput.Counts(3, 3, 3, 1));
              return request.driver().isPresent() ? Verdict.UNKNOWN : Verdict.FAILING;
            },
            to(out),
            to(err))
        .run(List.of(words));
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  private String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  private static String deadAddress() throws Exception {
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + closed.getLocalPort();
    }
  }

  @Test
  void theExitCodeIsTheVerdict() throws Exception {
    assertThat(check("--offline")).isEqualTo(2);
    assertThat(out())
        .startsWith("checked once without an agent: ")
        .contains("\nFAILING: replace_node, now\n")
        .doesNotContain("\u001b");
    assertThat(err()).isEmpty();
  }

  @Test
  void withoutAnAgentTheNodeIsUnknown() throws Exception {
    assertThat(check("--web.listen-address=" + deadAddress())).isEqualTo(3);
    assertThat(out())
        .startsWith("UNKNOWN: ")
        .contains("no agent is reachable at http://127.0.0.1:", "check --offline");
  }

  @Test
  void oneLineIsOneLine() throws Exception {
    assertThat(check("--brief", "--offline")).isEqualTo(2);
    assertThat(out()).startsWith("FAILING replace_node gpu 3: ").endsWith("\n");
    assertThat(out().lines()).hasSize(1);
    assertThat(err()).contains("checked once without an agent");
  }

  @Test
  void aLocalCheckPrintsJsonToo() throws Exception {
    assertThat(check("--json", "--offline")).isEqualTo(2);
    assertThat(out()).startsWith("{\n  \"verdict\" : \"failing\",");
    assertThat(err()).contains("checked once without an agent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "--jsn                         | flag --jsn: unknown; did you mean --json?",
        "--breif                       | flag --breif: unknown; did you mean --brief?",
        "--web.listen-adress=:1        | unknown; did you mean --web.listen-address?",
        "--url=http://ada:swordfish@h  | flag --url: takes no user and password",
        "--url=ada:swordfish@h?k=v     | flag --url: '[redacted]@h?[redacted]' is not an address",
        "--url=nonsense                | flag --url: 'nonsense' is not an address",
        "--web.listen-address=nonsense | 'nonsense' is not an address",
        "--version                     | flags --version and --check-config: not valid for check",
        "now                           | command line: 'now' is not a flag",
      })
  void aUsageErrorHasItsOwnExitCode(String word, String problem) {
    assertThat(check(word)).isEqualTo(64);
    assertThat(err()).startsWith("lapwing: ").contains(problem).doesNotContain("swordfish");
    assertThat(out()).isEmpty();
  }

  /** A link to itself cannot be read, also not by root. */
  @Test
  void aWebConfigurationThatThisUserMayNotReadIsNotNeeded(@TempDir Path dir) throws Exception {
    Path denied = dir.resolve("web.yml");
    Files.createSymbolicLink(denied, denied);
    Path readable =
        Files.writeString(
            dir.resolve("other.yml"),
            "tls_server_config: {cert_file: web.yml, key_file: web.yml}\n");

    for (Path file : List.of(denied, readable)) {
      assertThat(check("--web.config.file=" + file, "--web.listen-address=" + deadAddress()))
          .as(err())
          .isEqualTo(3);
      assertThat(out()).contains("no agent is reachable");
    }
  }

  @Test
  void aWrongFileOfTheServiceIsAWarning(@TempDir Path dir) throws Exception {
    Path web = Files.writeString(dir.resolve("web.yml"), "tls_server_config: 3\n");
    Path file = dir.resolve("lapwing.yml");

    for (String text : List.of("gpu.nmes: classic\n", "web.config.file: " + web + "\n")) {
      Files.writeString(file, text);
      int code =
          new CheckCommand(
                  Map.of("LAPWING_CONFIG_FILE", file.toString()),
                  settings -> MadeReports.failing(),
                  to(out),
                  to(err))
              .run(List.of("--scheduler", "--web.listen-address=" + deadAddress()));
      assertThat(code).as(err()).isEqualTo(3);
      assertThat(err()).startsWith("lapwing: warning: ").contains(dir.toString());
      assertThat(out()).startsWith("keep ");
      out.reset();
      err.reset();
    }
  }

  @Test
  void aWebConfigurationThatDoesNotExistIsAnError(@TempDir Path dir) throws Exception {
    assertThat(check("--web.config.file=" + dir.resolve("none.yml"))).isEqualTo(64);
    assertThat(err()).contains("none.yml");
  }

  @Test
  void theHelpNamesTheExitCodes() {
    assertThat(check("--help")).isZero();
    assertThat(out()).contains("64  usage error");
  }

  @Test
  void aReplayPrintsTextOrJson(@TempDir Path dir) throws Exception {
    String log = Files.writeString(dir.resolve("kmsg"), "").toString();

    assertThat(replay("--kmsg", log)).isZero();
    assertThat(out())
        .contains("3 lines, 3 in a known form, 3 of the kernel, 1 messages of the driver");
    out.reset();
    assertThat(replay("--kmsg", log, "--json")).isZero();
    assertThat(out())
        .startsWith(
            "{\"kind\":\"end\",\"lines\":3,\"known_lines\":3,\"kernel_messages\":3,\"events\":1,"
                + "\"warning\":null,\"health\":{");
    assertThat(replay("--kmsg", log, "--driver", "580.95.05")).isEqualTo(3);
    assertThat(replay("--kmsg", log, "--driver", "new")).isEqualTo(2);
    assertThat(err()).contains("flag --driver: 'new' is not a version such as 580.95.05");
  }

  @Test
  void aReplayNamesInvalidFlags(@TempDir Path dir) {
    assertThat(replay("--policy=" + dir, "--verbose")).isEqualTo(2);
    assertThat(err().lines())
        .containsExactly(
            "lapwing: flag --verbose: replay does not have this flag",
            "lapwing: flag --kmsg: is missing; it names the log",
            "lapwing: flag --policy: '" + dir + "' is not a readable file");
  }

  @Test
  void anUnreadableLogIsNamedWithItsLine(@TempDir Path dir) throws Exception {
    String log = Files.writeString(dir.resolve("kmsg"), "").toString();

    assertThat(replay("--kmsg", log, "--profile", "aws")).isEqualTo(1);
    assertThat(err()).isEqualTo("lapwing: replay: " + log + ":3: no line of a kernel log\n");
  }
}
