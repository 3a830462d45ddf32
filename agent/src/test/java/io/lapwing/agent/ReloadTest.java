package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.metrics.Build;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.SelfRegistry;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.agent.sources.SourceActivity;
import io.lapwing.common.config.ConfigException;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent's wiring in this process, whose configuration file is written anew. */
class ReloadTest {

  private static final String QUICK = "cadence: {fast: 200ms, medium: 200ms, slow: 400ms}\n";
  private static final String POWER = "DCGM_FI_DEV_POWER_USAGE";
  private static final String FALLEN =
      "pid='<unknown>', name=<unknown>, GPU has fallen off the bus.";

  private final Path dir;
  private final Path file;
  private final SimulatedNode node;
  private final KmsgFile kmsg;
  private final List<String> words = new ArrayList<>();
  private final AtomicInteger maxRequests = new AtomicInteger();
  private Wiring wiring;
  private Reload reload;

  ReloadTest(@TempDir Path dir) throws Exception {
    this.dir = dir;
    this.file = dir.resolve("lapwing.yml");
    this.kmsg = KmsgFile.beside(dir);
    this.node = SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
    words.addAll(node.agentArguments());
    kmsg.in(words, dir.resolve("state"));
    words.addAll(List.of("--node.hostname=node-1", "--config.file=" + file));
    write(QUICK);
    Invocation.Run run = (Invocation.Run) read();
    this.wiring =
        new Wiring(
            run.settings(),
            PollClock.SYSTEM,
            new Build("0.0.0", "abcdef0", "17"),
            Wiring.library(run.settings(), PollClock.SYSTEM),
            SelfRegistry.empty());
    this.reload = new Reload(run.configuration(), this::read, wiring, maxRequests::set);
  }

  @BeforeEach
  void start() {
    wiring.start();
    until(wiring::evaluated);
  }

  @AfterEach
  void end() {
    wiring.close();
  }

  private Invocation read() throws ConfigException {
    return SettingsReader.read(words, Map.of(), CollectorGroup.collectors());
  }

  private void write(String yaml) throws Exception {
    Files.writeString(file, yaml);
  }

  private void reload(String yaml) throws Exception {
    write(yaml);
    reload.run();
  }

  private TextPage page() {
    return TextPage.parse(wiring.page().page(PageFormat.TEXT_0_0_4));
  }

  private int series(String family) {
    return page().samples(family).size();
  }

  private static void until(Callable<Boolean> so) {
    await().atMost(TestAgent.PATIENCE).until(so);
  }

  private void awaitEvaluation() {
    long before = wiring.health().evaluations();
    until(() -> wiring.health().evaluations() > before + 1);
  }

  private double successful() {
    return page().value("lapwing_config_last_reload_successful").orElseThrow();
  }

  private double readAt() {
    return page().value("lapwing_config_last_reload_success_timestamp_seconds").orElseThrow();
  }

  @Test
  void oneMistakeAnywhereKeepsEverythingAsItWasUntilItIsMended() throws Exception {
    double started = readAt();
    assertThat(successful()).isEqualTo(1);
    Path policy = Files.writeString(dir.resolve("policy.yml"), "xids: {79: {severity: bad}}\n");

    reload(QUICK + "web.max-requests: 3\nhealth.policy: " + policy + "\n");

    until(() -> successful() == 0);
    assertThat(readAt()).isEqualTo(started);
    assertThat(maxRequests).hasValue(0);

    Files.writeString(policy, "xids: {79: {severity: info}}\n");
    reload.run();

    until(() -> successful() == 1);
    assertThat(readAt()).isGreaterThanOrEqualTo(started);
    assertThat(maxRequests).hasValue(3);
  }

  @Test
  void aCollectorGoesAndComesAndItsNeighboursDoNotNotice() throws Exception {
    until(() -> series(POWER) == 8);
    double powerCounter =
        page().value("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "gpu", "0").orElse(0.0);

    reload(QUICK + "collector.gpu_power: false\n");

    until(() -> series(POWER) == 0);
    assertThat(page().samples("lapwing_gpu_up")).hasSize(8).allMatch(up -> up.value() == 1);
    assertThat(series("DCGM_FI_DEV_GPU_TEMP")).isEqualTo(8);
    assertThat(wiring.page().collectors()).doesNotContain("gpu_power");

    reload(QUICK);

    until(() -> series(POWER) == 8);
    assertThat(page().value("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "gpu", "0").orElse(0.0))
        .isGreaterThanOrEqualTo(powerCounter);
    assertThat(page().value("lapwing_collector_read_errors_total", "collector", "gpu_power"))
        .isEmpty();
  }

  @Test
  void whereNoGpuIsReadAnyMoreNoneIsLost() throws Exception {
    String none = QUICK + "collector: {disable-defaults: true, node: true}\n";

    for (int round = 0; round < 2; round++) {
      reload(none);
      until(() -> series("lapwing_gpu_up") == 0);
      awaitEvaluation();
      assertThat(wiring.health().report().findings()).isEmpty();

      reload(QUICK);
      until(() -> series(POWER) == 8);
      awaitEvaluation();
      assertThat(wiring.health().report().findings()).isEmpty();
    }
    assertThat(wiring.health().events()).noneMatch(Event.FindingOpened.class::isInstance);
  }

  @Test
  void aSourceThatHangsIsNotCalledASecondTimeHoweverOftenItIsSwitched() throws Exception {
    reload(QUICK + "poll.deadline: 500ms\n");
    node.set("gpu.3.block.*", "forever");
    until(() -> state("gpu3").hung());
    Duration waited = state("gpu3").busy().orElseThrow();

    for (int i = 0; i < 3; i++) {
      reload(QUICK + "poll.deadline: 500ms\ncollector: {disable-defaults: true, node: true}\n");
      reload(QUICK + "poll.deadline: 500ms\n");
    }

    assertThat(state("gpu3").busy().orElseThrow())
        .as("the call that hangs is still the first one")
        .isGreaterThan(waited);
    node.clear("gpu.3.block.*");
    until(() -> series(POWER) == 8);
  }

  private SourceActivity state(String source) {
    return wiring.poller().activities().stream()
        .filter(state -> state.source().equals(source))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void anotherPolicyEvaluatesOpenFindingsAgainAndOpensNoneTwice() throws Exception {
    kmsg.append(FaultyAgent.xid(2, 79, FALLEN));
    until(() -> verdict().equals("failing"));
    Map<String, Double> found = FaultyAgent.findings(page());
    Path policy =
        Files.writeString(
            dir.resolve("policy.yml"), "xids: {79: {severity: degraded, action: watch}}\n");

    reload(QUICK + "health.policy: " + policy + "\n");

    until(() -> verdict().equals("degraded"));
    assertThat(FaultyAgent.findings(page())).containsAllEntriesOf(found);
    assertThat(FaultyAgent.sum(page(), "lapwing_gpu_xid_errors_total")).isEqualTo(1);

    reload(QUICK);

    until(() -> verdict().equals("failing"));
    assertThat(wiring.health().events().stream().filter(Event.FindingOpened.class::isInstance))
        .hasSize(1);
    assertThat(wiring.health().events()).noneMatch(Event.FindingClosed.class::isInstance);
  }

  private String verdict() {
    return wiring.health().report().verdict().text();
  }

  @Test
  void quickerCadencesDoNotWaitForTheSlowOnesToEnd() throws Exception {
    reload("cadence: {fast: 1h, medium: 1h, slow: 1h}\n");
    long judged = wiring.health().evaluations();
    long rounds = rounds();

    reload(QUICK);

    until(() -> rounds() > rounds + 3);
    until(() -> wiring.health().evaluations() > judged + 3);
  }

  private long rounds() {
    return state("gpu0").rounds();
  }

  @Test
  void sourcesWithAnotherPathAreRecreated() throws Exception {
    assertThat(page().samples("lapwing_nccl_inspector_files")).isEmpty();
    Path inspector = Files.createDirectory(dir.resolve("inspector"));

    reload(QUICK + "nccl.inspector-dir: " + inspector + "\nlustre.targets: full\n");
    until(() -> series("lapwing_nccl_inspector_files") == 1);

    reload(QUICK);
    until(() -> series("lapwing_nccl_inspector_files") == 0);
  }

  @Test
  void otherFieldsAreShownAndOtherLabelsWait() throws Exception {
    Path fields =
        Files.writeString(
            dir.resolve("fields.csv"), "DCGM_FI_DEV_GPU_TEMP, gauge, How warm it is.\n");

    reload(QUICK + "gpu.fields: " + fields + "\nlabels: lean\n");

    until(() -> series(POWER) == 0);
    until(() -> series("DCGM_FI_DEV_GPU_TEMP") == 8);
    assertThat(page().samples("DCGM_FI_DEV_GPU_TEMP").get(0).labels()).containsKey("modelName");

    reload(QUICK);
    until(() -> series(POWER) == 8);
  }

  @Test
  void theExpectedGpuCountCanBeSetByAReload() throws Exception {
    reload(QUICK + "health.expected-gpus: 9\n");

    until(() -> page().value("lapwing_node_expected_gpus").filter(n -> n == 9).isPresent());
  }
}
