package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.MadeReports;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Without an agent, from the log. */
class EventsCommandTest {

  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path state;

  @BeforeEach
  void aLog() throws Exception {
    Files.writeString(
        state.resolve("events.jsonl"),
        """
        {"kind":"started","at":"2026-11-20T03:00:00Z","version":"0.1.0"}
        {"kind":"gpu_reset","at":"2026-11-20T11:20:00Z","gpu":"GPU-1","sign":"energy counter"}
        """);
  }

  private int events(String... args) throws Exception {
    int port;
    try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = closed.getLocalPort();
    }
    List<String> all = new ArrayList<>(List.of(args));
    all.add("--path.state=" + state);
    all.add("--web.listen-address=127.0.0.1:" + port);
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    PrintStream output = new PrintStream(out, true, StandardCharsets.UTF_8);
    CheckCommand check =
        new CheckCommand(Map.of(), settings -> MadeReports.failing(), output, errors);
    return new EventsCommand(check, InstantSource.fixed(NOW), output, errors).run(all);
  }

  @Test
  void theLogDoesNotStandInForAnAgentThatWasNamed() throws Exception {
    assertThat(events("--url=http://node7.invalid:9754")).isEqualTo(1);
    assertThat(out()).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("node7.invalid");
  }

  private String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void withoutAnAgentTheLogIsRead() throws Exception {
    assertThat(events()).isZero();
    assertThat(out())
        .isEqualTo(
            """
            2026-11-20 03:00:00Z started version=0.1.0
            2026-11-20 11:20:00Z gpu_reset gpu=GPU-1 sign="energy counter"
            """);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("no agent is reachable", "these events are from " + state);
  }

  @Test
  void timeAndRuleSelect() throws Exception {
    assertThat(events("--since=2h", "--json")).isZero();
    assertThat(out())
        .isEqualTo(
            "{\"kind\":\"gpu_reset\",\"at\":\"2026-11-20T11:20:00Z\",\"gpu\":\"GPU-1\","
                + "\"sign\":\"energy counter\"}\n");
    out.reset();
    assertThat(events("--since=5m")).as("nothing matches").isZero();
    assertThat(out()).isEmpty();
    assertThat(events("--rule=started")).isZero();
    assertThat(out()).contains("started").doesNotContain("gpu_reset");
  }

  @Test
  void anXidIsFoundByItsRule() throws Exception {
    String page =
        "{\"events\":[{\"kind\":\"xid\",\"at\":\"2026-11-20T03:12:44Z\",\"number\":79},"
            + "{\"kind\":\"finding_opened\",\"at\":\"2026-11-20T03:12:45Z\",\"rule\":\"xid_79\"}]}";

    assertThat(EventRow.of(page)).allMatch(row -> row.isOf("xid_79"));
    assertThat(EventRow.of(page)).noneMatch(row -> row.isOf("xid_7"));
  }

  @Test
  void aLogThatIsNotThereIsAnError() throws Exception {
    Files.delete(state.resolve("events.jsonl"));

    assertThat(events()).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("there are no events in " + state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--since=yesterday", "--nonsense", "--brief"})
  void aUsageErrorIs2(String flag) throws Exception {
    assertThat(events(flag)).isEqualTo(2);
    assertThat(out()).isEmpty();
  }
}
