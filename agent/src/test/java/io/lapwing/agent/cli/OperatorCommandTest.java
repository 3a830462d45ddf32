package io.lapwing.agent.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OperatorCommandTest {

  private static final Instant NOW = Instant.parse("2026-03-01T03:00:00Z");

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  @TempDir private Path state;
  private boolean agentReads = true;

  private int run(OperatorCommand.Form form, String... args) {
    PrintStream said = new PrintStream(out, true, StandardCharsets.UTF_8);
    PrintStream wrong = new PrintStream(err, true, StandardCharsets.UTF_8);
    List<String> all = new ArrayList<>(Arrays.asList(args));
    all.add("--path.state=" + state);
    CheckCommand check = new CheckCommand(Map.of(), settings -> MadeReports.healthy(), said, wrong);
    RequestSender sender = new RequestSender((request, atMost) -> agentReads);
    return new OperatorCommand(form, InstantSource.fixed(NOW), check, sender, said, wrong).run(all);
  }

  private List<OperatorRequest> requests() {
    return new OperatorRequests(state).read();
  }

  @Test
  void maintenanceIsAskedForInTheStateDirectory() {
    assertThat(run(new MaintenanceForm(), "--for", "2h", "--note", "swap PSU")).isZero();
    assertThat(requests())
        .containsExactly(new OperatorRequest.StartMaintenance(NOW.plusSeconds(7_200), "swap PSU"));

    assertThat(run(new MaintenanceForm(), "--end")).isZero();
    assertThat(requests()).containsExactly(new OperatorRequest.EndMaintenance());
  }

  @Test
  void everyTimeIsBounded() {
    assertThat(run(new MaintenanceForm(), "--for=8d")).isEqualTo(2);
    assertThat(run(new MaintenanceForm(), "--for=soon")).isEqualTo(2);
    assertThat(run(new TestFindingForm(), "--rule=xid_79", "--for=2h")).isEqualTo(2);
    assertThat(run(new TestFindingForm(), "--rule=xid_79")).isEqualTo(2);
    assertThat(requests()).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains(
            "flag --for: 8d is too long: at most 7d",
            "flag --for: 'soon' is not a duration such as 10m",
            "flag --for: 2h is too long: at most 1h");
  }

  @Test
  void flagsThatContradictAreRefused() {
    assertThat(run(new MaintenanceForm(), "--end", "--for=1h")).isEqualTo(2);
    assertThat(run(new MaintenanceForm(), "--note=x")).isEqualTo(2);
    assertThat(run(new TestFindingForm(), "--end", "--rule=xid_79")).isEqualTo(2);
    assertThat(requests()).isEmpty();
  }

  @Test
  void aTestFindingNeedsARuleThatExists() {
    assertThat(run(new TestFindingForm(), "--rule=xid_79", "--gpu=3", "--for=5m")).isZero();
    assertThat(requests())
        .containsExactly(
            new OperatorRequest.StartTest(NOW.plusSeconds(300), "xid_79", "gpu:3", ""));

    assertThat(run(new TestFindingForm(), "--rule=gpu_lost", "--severity=degraded", "--for=5m"))
        .isZero();
    assertThat(run(new TestFindingForm(), "--rule=xid", "--for=5m")).isEqualTo(2);
    assertThat(run(new TestFindingForm(), "--rule=no_such", "--for=5m")).isEqualTo(2);
    assertThat(run(new TestFindingForm(), "--rule=xid_79", "--severity=bad", "--for=5m"))
        .isEqualTo(2);
    assertThat(requests()).hasSize(1);
  }

  @Test
  void aTestFindingIsNotForAGpuThatTheNodeLacks() {
    TestFindingForm form = new TestFindingForm();
    HealthReport report = MadeReports.healthy();

    assertThat(objection(form, "gpu:1", report)).isEmpty();
    assertThat(objection(form, "gpu:" + MadeReports.uuid(1), report)).isEmpty();
    assertThat(objection(form, "gpu:12", report))
        .contains("flag --gpu: this node has no GPU '12'; its GPUs are 0, 1");
    assertThat(form.dependsOnReport(new OperatorRequest.EndTests())).isFalse();
  }

  private static Optional<String> objection(
      TestFindingForm form, String subject, HealthReport report) {
    OperatorRequest request = new OperatorRequest.StartTest(NOW, "xid_79", subject, "");
    assertThat(form.dependsOnReport(request)).isTrue();
    return form.objection(request, report);
  }

  @Test
  void withoutAnAgentThereIsNothingToAsk() {
    state = state.resolve("absent");

    assertThat(run(new MaintenanceForm(), "--for=1h")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("does an agent run here, or with another --path.state?");
  }

  @Test
  void whatNoAgentReadsIsWithdrawn() {
    agentReads = false;

    assertThat(run(new MaintenanceForm(), "--for=1h")).isEqualTo(1);
    assertThat(requests()).isEmpty();
    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("no agent reads requests in " + state + "; withdrawn");
  }

  /** A local check closes nothing, and would call GPUs released that the agent has open. */
  @Test
  void withoutAnAgentTheStateIsUnknown() {
    String nowhere = "--web.listen-address=127.0.0.1:1";
    assertThat(run(new ReleaseForm(), nowhere)).isEqualTo(1);
    assertThat(run(new MaintenanceForm(), nowhere)).isEqualTo(1);

    assertThat(out.toString(StandardCharsets.UTF_8)).isEmpty();
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("lapwing: release: no agent is reachable at http://127.0.0.1:1");
  }

  @Test
  void theStateIsASentence() {
    HealthReport healthy = MadeReports.healthy();
    assertThat(new MaintenanceForm().state(said(healthy))).containsExactly("not in maintenance");
    assertThat(new TestFindingForm().state(said(healthy))).containsExactly("no test findings");
    assertThat(new ReleaseForm().state(said(healthy))).containsExactly("the GPUs are not released");
    HealthReport maintained =
        MadeReports.during(
            healthy,
            new Operations(
                Optional.of(
                    new Operations.Maintenance(NOW, NOW.plusSeconds(7_200), "swap\u001b PSU")),
                Optional.empty(),
                List.of()));

    assertThat(new MaintenanceForm().state(said(maintained)))
        .singleElement(InstanceOfAssertFactories.STRING)
        .startsWith("in maintenance until 2026-03-01 05:00:00Z")
        .doesNotContain("\u001b");
  }

  @Test
  void aReleaseTellsWhatIsAskedForAndWhatIsDone() {
    assertThat(run(new ReleaseForm(), "--gpus", "--for=10m")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("requested", "within seconds", "lapwing release shows when they are released");
    assertThat(new OperatorRequests(state).isWaiting()).isTrue();
    requests();
    assertThat(new OperatorRequests(state).isWaiting()).isFalse();

    HealthReport asked =
        MadeReports.during(
            MadeReports.healthy(),
            new Operations(
                Optional.empty(),
                Optional.of(new Operations.Release(NOW, NOW.plusSeconds(600), false)),
                List.of()));
    assertThat(new ReleaseForm().state(said(asked)))
        .singleElement(InstanceOfAssertFactories.STRING)
        .contains("is closing the GPUs, until 2026-03-01 03:10:00Z", "not released yet");
  }

  @Test
  void aReleaseWaitsUntilTheAgentHasClosedTheGpus() throws Exception {
    assertThat(waits("--gpus", "--for=10m")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .contains("requested")
        .endsWith("the GPUs are released for maintenance\n");
  }

  @Test
  void itsEndWaitsUntilTheGpusAreRead() throws Exception {
    steps.add(MadeReports.during(released(), Operations.NONE));
    steps.add(MadeReports.healthy());

    assertThat(waits("--end")).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).endsWith("the GPUs are not released\n");
  }

  @Test
  void aWaitThatIsTooShortFails() throws Exception {
    steps.add(MadeReports.during(MadeReports.healthy(), releasedUntil(600, false)));

    assertThat(waits("--gpus", "--for=10m")).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("lapwing: release: not yet: the agent is closing the GPUs");
  }

  @Test
  void onlyAReleaseOfTheSameTimeIsAwaited() {
    OperatorRequest asked = new OperatorRequest.ReleaseGpus(NOW.plusSeconds(600));
    ReleaseForm form = new ReleaseForm();

    assertThat(form.hasTakenEffect(asked, MadeReports.during(released(), releasedUntil(600, true))))
        .isTrue();
    assertThat(form.hasTakenEffect(asked, MadeReports.during(released(), releasedUntil(60, true))))
        .as("of an earlier request")
        .isFalse();
    assertThat(form.hasTakenEffect(asked, released())).isFalse();
  }

  @Test
  void aWaitNeedsARequestAndATime() {
    assertThat(run(new ReleaseForm(), "--wait=1m")).isEqualTo(2);
    assertThat(run(new ReleaseForm(), "--end", "--wait=long")).isEqualTo(2);
    assertThat(requests()).isEmpty();
  }

  /** The finding outlives the release: its text must not be taken for the state. */
  @Test
  void anEndedReleaseIsNotCalledReleased() {
    assertThat(new ReleaseForm().state(said(released())))
        .containsExactly(
            "the GPUs are not released any more; the verdict is unknown until all were read again");
  }

  /** The reports of the agent, one after the other; the last one stays. */
  private final Deque<HealthReport> steps = new ArrayDeque<>();

  private int waits(String... args) throws Exception {
    if (steps.isEmpty()) {
      steps.add(MadeReports.during(MadeReports.healthy(), releasedUntil(600, false)));
      steps.add(MadeReports.during(released(), releasedUntil(600, true)));
    }
    try (ReportingAgent agent = new ReportingAgent(this::step)) {
      List<String> all = new ArrayList<>(Arrays.asList(args));
      all.addAll(List.of("--wait=1s", "--web.listen-address=127.0.0.1:" + agent.port()));
      return run(new ReleaseForm(), all.toArray(String[]::new));
    }
  }

  private HealthReport step() {
    requests();
    return steps.size() > 1 ? steps.remove() : steps.element();
  }

  private static Operations releasedUntil(int seconds, boolean closed) {
    return new Operations(
        Optional.empty(),
        Optional.of(new Operations.Release(NOW, NOW.plusSeconds(seconds), closed)),
        List.of());
  }

  private static HealthReport released() {
    return MadeReports.with(
        Verdict.UNKNOWN,
        List.of(
            MadeReports.finding(
                "gpus_released",
                Subject.NODE,
                Disposition.unknown(),
                "the GPUs are released for maintenance")));
  }

  private static CheckResult said(HealthReport report) {
    return new CheckResult(report, "{}", "the agent", Optional.empty(), Optional.empty(), NOW);
  }
}
