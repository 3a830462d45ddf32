package io.lapwing.agent.deep;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Subject;
import io.lapwing.deep.DeepResult;
import io.lapwing.deep.DeepResult.DeepTest;
import io.lapwing.deep.DeepResult.GpuResult;
import io.lapwing.deep.DeepResult.Outcome;
import io.lapwing.deep.DeepResultFile;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code check --deep} on a simulated node: real processes, and JNA into a simulated libcuda. */
class DeepCommandTest {

  @TempDir private Path dir;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private SimulatedNode node;

  @BeforeEach
  void makeNode() throws Exception {
    node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge").withoutEfa());
    // Three are enough for a median, and each takes two processes.
    node.setAll(Map.of("gpu.count", "3", "gpu.*.processes", ""));
    for (int gpu = 0; gpu < 3; gpu++) {
      node.set("gpu." + gpu + ".processes", "");
    }
    Files.createDirectories(node.agentState());
  }

  private int deep(String... flags) {
    List<String> words = new ArrayList<>(List.of("--deep", "--deep.library=" + node.cudaLibrary()));
    words.addAll(List.of(flags));
    words.addAll(node.agentArguments());
    return new DeepCommand(Map.of("PATH", "/nowhere"), to(out), to(err)).run(words);
  }

  private static PrintStream to(ByteArrayOutputStream bytes) {
    return new PrintStream(bytes, true, StandardCharsets.UTF_8);
  }

  private String text() {
    return out.toString(StandardCharsets.UTF_8) + err.toString(StandardCharsets.UTF_8);
  }

  private List<GpuResult> written() {
    return new DeepResultFile(node.agentState()).read().toOptional().orElseThrow().gpus();
  }

  private static Outcome outcome(GpuResult gpu, DeepTest test) {
    return gpu.tests().stream()
        .filter(one -> one.test() == test)
        .map(DeepResult.TestResult::outcome)
        .findFirst()
        .orElseThrow();
  }

  private List<Finding> findings() throws Exception {
    Invocation invocation =
        SettingsReader.read(node.agentArguments(), Map.of(), CollectorGroup.collectors());
    Settings settings = ((Invocation.Run) invocation).settings();
    return CheckCommand.evaluateOnce(settings).findings().stream()
        .filter(finding -> finding.rule().equals("deep_check"))
        .toList();
  }

  @Test
  void aSoundNodePassesAndSaysThatItIsSimulated() throws Exception {
    assertThat(deep()).as(text()).isZero();
    assertThat(text())
        .startsWith("SIMULATED NODE")
        .contains("HEALTHY: deep check of 3 GPUs", "58.0 TFLOPS", "370.0 GB/s")
        .contains("dcgmi            not_tested                  not installed");
    assertThat(written())
        .hasSize(3)
        .allSatisfy(
            gpu ->
                assertThat(gpu.tests())
                    .hasSize(5)
                    .allMatch(test -> test.outcome() == Outcome.PASSED));
    assertThat(findings()).isEmpty();
  }

  @Test
  void aSlowGpuIsDegradedAndAFinding() throws Exception {
    node.set("gpu.1.cuda.device_copy", "1100");
    assertThat(deep("--deep.tools=none")).as(text()).isEqualTo(1);
    assertThat(outcome(written().get(1), DeepTest.DEVICE_COPY)).isEqualTo(Outcome.SLOW);
    assertThat(text()).contains("below 90 % of the median of this node's GPUs (1170.0 GB/s)");
    assertThat(findings())
        .singleElement()
        .satisfies(
            finding -> {
              assertThat(finding.subject()).isEqualTo(Subject.of("gpu", written().get(1).uuid()));
              assertThat(finding.disposition().severity()).isEqualTo(Severity.DEGRADED);
              assertThat(finding.disposition().action()).isEqualTo(Action.WATCH);
              assertThat(finding.detection().what()).contains("device copy was slow");
            });
  }

  @Test
  void wrongResultsAreFailingAndReplaceTheNode() throws Exception {
    node.setAll(Map.of("gpu.0.cuda.wrong", "1", "gpu.2.cuda.wrong", "2"));
    assertThat(deep("--format=json", "--deep.tools=none")).as(text()).isEqualTo(2);
    assertThat(text()).contains("\"verdict\" : \"failing\"", "\"simulated\" : true");
    assertThat(outcome(written().get(0), DeepTest.ARITHMETIC)).isEqualTo(Outcome.WRONG);
    assertThat(outcome(written().get(0), DeepTest.DEVICE_COPY)).isEqualTo(Outcome.PASSED);
    assertThat(outcome(written().get(2), DeepTest.HOST_TO_DEVICE)).isEqualTo(Outcome.WRONG);
    assertThat(findings())
        .hasSize(2)
        .allMatch(finding -> finding.disposition().action() == Action.REPLACE_NODE);
  }

  @Test
  void aHungGpuIsKilledAtItsDeadlineAndTheOthersAreTested() {
    node.set("gpu.1.block.cuLaunchKernel", "forever");
    long before = System.nanoTime();
    assertThat(deep("--deep.gpu-timeout=5s", "--deep.tools=none")).as(text()).isEqualTo(2);
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(90));
    assertThat(outcome(written().get(1), DeepTest.DEVICE_COPY)).isEqualTo(Outcome.PASSED);
    assertThat(outcome(written().get(1), DeepTest.ARITHMETIC)).isEqualTo(Outcome.HUNG);
    assertThat(outcome(written().get(2), DeepTest.ARITHMETIC)).isEqualTo(Outcome.PASSED);
  }

  @Test
  void aGpuForWhichNoTimeWasLeftIsNotTested() throws Exception {
    node.set("gpu.0.block.cuLaunchKernel", "forever");
    assertThat(deep("--deep.timeout=8s", "--deep.tools=none")).as(text()).isEqualTo(3);
    assertThat(written())
        .flatExtracting(GpuResult::tests)
        .noneMatch(test -> test.outcome() == Outcome.HUNG);
    assertThat(text()).contains("no time was left");
    assertThat(findings()).isEmpty();
  }

  @Test
  void aLaterCheckThatTestsNothingKeepsWrongResults() throws Exception {
    node.set("gpu.1.cuda.wrong", "1");
    assertThat(deep("--deep.tools=none")).as(text()).isEqualTo(2);
    node.set("gpu.1.mig.mode", "1");
    assertThat(deep("--deep.tools=none")).as(text()).isEqualTo(3);
    assertThat(outcome(written().get(1), DeepTest.ARITHMETIC)).isEqualTo(Outcome.WRONG);
    assertThat(findings()).hasSize(1);
    node.setAll(Map.of("gpu.1.mig.mode", "0", "gpu.1.cuda.wrong", "0"));
    assertThat(deep("--deep.tools=none")).as(text()).isZero();
    assertThat(findings()).isEmpty();
  }

  @Test
  void aBusyNodeIsRefusedUnlessForced() {
    node.set("gpu.2.processes", "4711:1024");
    assertThat(deep("--deep.tools=none")).isEqualTo(DeepCommand.REFUSED);
    assertThat(text()).contains("refused: GPU 2 has compute processes: 1; --force tests anyway");
    assertThat(new DeepResultFile(node.agentState()).file()).doesNotExist();
    assertThat(deep("--force", "--deep.tools=none")).as(text()).isZero();
  }

  @Test
  void withoutCudaTheNodeIsUnknown() {
    assertThat(
            new DeepCommand(Map.of(), to(out), to(err))
                .run(
                    Stream.concat(
                            Stream.of("--deep", "--deep.library=/no/libcuda.so.1"),
                            node.agentArguments().stream())
                        .toList()))
        .isEqualTo(3);
    assertThat(text()).contains("UNKNOWN", "library_not_found");
  }

  @Test
  void wrongFlagsAreUsageErrors() {
    assertThat(deep("--format=xml", "--deep.timeout=10h")).isEqualTo(64);
    assertThat(text()).contains("flag --format: 'xml'", "flag --deep.timeout: '10h'");
  }
}
