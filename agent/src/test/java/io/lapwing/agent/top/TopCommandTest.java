package io.lapwing.agent.top;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.health.MadeReports;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int top(String... args) {
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    PrintStream output = new PrintStream(out, true, StandardCharsets.UTF_8);
    CheckCommand check =
        new CheckCommand(Map.of(), settings -> MadeReports.failing(), output, errors);
    return new TopCommand(Map.of(), check, InstantSource.system(), output, errors)
        .run(List.of(args));
  }

  @Test
  void withoutAnAgentAFrameIsUnknown() throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    assertThat(top("--once", "--url=http://127.0.0.1:" + port)).isEqualTo(3);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("no agent is reachable at");
    assertThat(out.size()).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--interval=soon  | flag --interval: 'soon' is not a duration from 1s to 1h",
        "--interval=100ms | flag --interval: '100ms'",
        "--color=blue     | flag --color: 'blue' is not one of auto, always and never",
        "--brief          | only for check",
        "--nonsense       | flag --nonsense: unknown",
        "--intervall=2s   | flag --intervall: unknown; did you mean --interval?",
        "--ur=http://a    | flag --ur: unknown; did you mean --url?",
      })
  void aUsageErrorIs64(String flag, String problem) {
    assertThat(top(flag)).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("lapwing: ").contains(problem);
  }

  @Test
  void withoutATerminalTheErrorNamesOnce() {
    // The tests have no terminal, or write their output into a file.
    assertThat(top()).isEqualTo(64);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("must be a terminal", "--once");
  }

  @Test
  void theHelpNamesTheExitCodes() {
    assertThat(top("--help")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("64  usage error");
  }
}
