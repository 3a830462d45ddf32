package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.engine.ClearRequests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code lapwing clear} beside an agent that reports XID 79 of GPU 3, and GPU 0. */
class ClearCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path state;
  private ReportingAgent agent;

  @BeforeEach
  void startAgent() throws IOException {
    agent = new ReportingAgent(MadeReports::failing);
  }

  @AfterEach
  void stopAgent() throws IOException {
    agent.close();
  }

  private int clear(String... words) {
    return clear(agent.port(), words);
  }

  private int clear(int port, String... words) {
    PrintStream said = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream wrong = new PrintStream(err, true, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(List.of(words));
    all.add("--path.state=" + state);
    all.add("--web.listen-address=127.0.0.1:" + port);
    CheckCommand check = new CheckCommand(Map.of(), settings -> MadeReports.healthy(), said, wrong);
    return new ClearCommand(check, new RequestSender((request, atMost) -> true), said, wrong)
        .run(all);
  }

  private List<String> requests() {
    return new ClearRequests(state, InstantSource.fixed(Instant.EPOCH))
        .read().stream().map(one -> one.rule() + " " + one.subject()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "--rule=xid_79, 'xid_79 '",
    "--rule=xid_79_repeated, 'xid_79_repeated '",
    "--rule=gpu_lost, 'gpu_lost '",
    "--rule=slow_clocks, 'slow_clocks '", // of a finding, and of no rule of this version
    "--gpu=3, ' gpu:3'",
    "--gpu=GPU-00000003-0000-0000-0000-000000000000, ' gpu:GPU-00000003-0000-0000-0000-000000000000'",
    "--all, ' '",
  })
  void whatExistsIsCleared(String flag, String request) {
    assertThat(clear(flag)).isZero();
    assertThat(requests()).containsExactly(request);
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("requested");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rule=xid_999 | there is no rule 'xid_999'; lapwing policy show lists all",
        "--rule=no_such | there is no rule 'no_such'",
        "--gpu=42       | this node has no GPU '42'; its GPUs are 0, 3",
        "--gpu=1        | this node has no GPU '1'; its GPUs are 0, 3",
        "--rule=        | needs a value",
      })
  void whatDoesNotExistIsRefused(String flag, String problem) {
    assertThat(clear(flag)).isEqualTo(2);
    assertThat(requests()).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8)).startsWith("lapwing: ").contains(problem);
  }

  @ParameterizedTest
  @CsvSource({
    "--rule=xid_79, false",
    "--gpu=3, false",
    "--all, false",
    "--rule=gpu_lost, true",
  })
  void itSaysThatNothingIsOpen(String flag, boolean nothing) {
    assertThat(clear(flag)).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8).contains("no such finding is open"))
        .isEqualTo(nothing);
  }

  @Test
  void bothFlagsMustFitTheSameFinding() {
    assertThat(clear("--rule=xid_79", "--gpu=0")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("no such finding is open");
  }

  /** Its GPUs are not known then, but rules are. */
  @Test
  void withoutAnAgentRulesAreCheckedOnly() {
    assertThat(clear(1, "--gpu=42")).isZero();
    assertThat(clear(1, "--rule=xid_999")).isEqualTo(2);
    assertThat(requests()).containsExactly(" gpu:42");
  }
}
