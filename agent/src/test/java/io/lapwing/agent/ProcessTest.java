package io.lapwing.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lapwing.agent.metrics.PageFormat;
import io.lapwing.agent.metrics.TextPage;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as a shell sees it: its words, its page, its end. */
class ProcessTest {

  private static SimulatedNode node(Path dir) {
    return SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"));
  }

  private static List<String> words(SimulatedNode node, String... flags) {
    List<String> words = new ArrayList<>(List.of("agent"));
    words.addAll(node.agentArguments());
    words.addAll(List.of(flags));
    return words;
  }

  private static List<String> serving(SimulatedNode node, String... flags) {
    List<String> words = words(node, flags);
    words.add("--web.listen-address=127.0.0.1:0");
    return words;
  }

  private static TextPage page(AgentProcess agent) throws Exception {
    return TextPage.parse(agent.get("/metrics").body(), PageFormat.TEXT_0_0_4);
  }

  /** It ends with 2 and says these lines, and nothing else, on standard error. */
  private static void refuses(Path dir, List<String> words, String... lines) throws Exception {
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      assertThat(agent.exitCode()).as(agent.err()).isEqualTo(2);
      assertThat(agent.err().lines())
          .hasSameSizeAs(lines)
          .zipSatisfy(
              List.of(lines),
              (said, wanted) -> assertThat(said).startsWith("lapwing: ").contains(wanted));
      assertThat(agent.out()).isEmpty();
    }
  }

  @Test
  void onceItPrintsAWholePageAndEnds(@TempDir Path dir) throws Exception {
    try (AgentProcess agent =
        AgentProcess.start(dir, words(node(dir), "--once", "--metrics=full"))) {
      assertThat(agent.exitCode()).isZero();
      TextPage page = TextPage.parse(agent.out(), PageFormat.TEXT_0_0_4);

      assertThat(page.samples("lapwing_gpu_up")).hasSize(8).allMatch(up -> up.value() == 1);
      assertThat(page.value("lapwing_simulated")).hasValue(1.0);
      // What needs a second look, and what needs all GPUs to be open.
      assertThat(page.samples("DCGM_FI_PROF_SM_ACTIVE")).hasSize(8);
      assertThat(page.samples("DCGM_EXP_P2P_STATUS")).hasSize(56);
      assertThat(page.samples("process_resident_memory_bytes")).hasSize(1);
    }
  }

  @Test
  void anUnknownFlagIsNamed(@TempDir Path dir) throws Exception {
    refuses(dir, List.of("agent", "--web.listen-adress=:1"), "--web.listen-adress");
  }

  @Test
  void anUnknownCommandIsNamedWithTheNearestOne(@TempDir Path dir) throws Exception {
    try (AgentProcess agent = AgentProcess.start(dir, List.of("agnet"))) {
      assertThat(agent.exitCode()).isEqualTo(64);
      assertThat(agent.err()).contains("lapwing: unknown command 'agnet' (did you mean agent?)");
    }
  }

  @Test
  void aPolicyFileIsCheckedWithoutAnAgent(@TempDir Path dir) throws Exception {
    Path file = Files.writeString(dir.resolve("policy.yml"), "xids: {79: {action: replace}}\n");
    refuses(
        dir, List.of("policy", "check", file.toString()), file + ":1: xids.79.action: 'replace'");
    Files.writeString(file, "xids: {79: {action: reboot_node}}\n");
    try (AgentProcess agent =
        AgentProcess.start(dir, List.of("policy", "check", file.toString()))) {
      assertThat(agent.exitCode()).as(agent.err()).isZero();
      assertThat(agent.out())
          .isEqualTo(file + " is valid: profile aws; XIDs changed: 1, rules changed: 0\n");
    }
  }

  @Test
  void aPortInUseIsNamed(@TempDir Path dir) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String address = "127.0.0.1:" + taken.getLocalPort();
      refuses(dir, words(node(dir), "--web.listen-address=" + address), address);
    }
  }

  @Test
  void eachBadLineOfAFieldFileIsNamed(@TempDir Path dir) throws Exception {
    Path fields = dir.resolve("fields.csv");
    Files.writeString(
        fields,
        """
        GPU_TMP
        DCGM_FI_DEV_GPU_TEMP, gauge
        DCGM_FI_DEV_SM_CLOCK, gage, A.
        """);

    refuses(
        dir,
        words(node(dir), "--gpu.fields=" + fields),
        fields + ":1: expected field, type and help",
        fields + ":2: ",
        fields + ":3: 'gage'");
  }

  @Test
  void anInvalidFieldFileIsReportedWithItsReason(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    Path latin = dir.resolve("latin.csv");
    Files.write(latin, new byte[] {'#', (byte) 0xe9, '\n'});

    refuses(dir, words(node, "--gpu.fields=" + dir), dir.toString());
    refuses(dir, words(node, "--gpu.fields=" + dir.resolve("none.csv")), "none.csv");
    refuses(dir, words(node, "--gpu.fields=" + latin), latin + ": is not text in UTF-8");
  }

  @Test
  void severalMistakesAreReportedTogether(@TempDir Path dir) throws Exception {
    refuses(
        dir,
        List.of("agent", "--cadence.fast=never", "--web.max-requests=some"),
        "--web.max-requests",
        "--cadence.fast");
  }

  @Test
  void withoutALibraryItRunsAndReportsWhatItCannotRead(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    List<String> words = serving(node);
    words.replaceAll(
        word -> word.startsWith("--nvml.library") ? "--nvml.library=libnone-such.so.1" : word);
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      await().atMost(TestAgent.PATIENCE).until(() -> agent.get("/-/ready").statusCode() == 200);
      TextPage page = page(agent);

      assertThat(page.value("lapwing_node_info")).hasValue(1.0);
      assertThat(page.samples().map(TextPage.Sample::name))
          .noneMatch(name -> name.startsWith("DCGM_") || name.equals("lapwing_gpu_driver_up"));
      assertThat(page.value("lapwing_collector_success", "collector", "gpu_driver")).hasValue(1.0);
      JsonNode source = source(agent, "nvml");
      assertThat(source.path("state").asText()).isEqualTo("nothing-here");
      assertThat(source.path("why").asText()).contains("libnone-such.so.1");
      assertThat(agent.err()).contains("no NVIDIA driver library");
    }
  }

  @Test
  void aLibraryThatIsNoNvmlIsADriverThatIsDown(@TempDir Path dir) throws Exception {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("node"), InstanceType.named("p5.48xlarge"), Variant.EMPTY);
    List<String> words = serving(node);
    words.replaceAll(
        word ->
            word.startsWith("--nvml.library")
                ? "--nvml.library=" + node.library(Variant.EMPTY)
                : word);
    try (AgentProcess agent = AgentProcess.start(dir, words)) {
      await().atMost(TestAgent.PATIENCE).until(() -> agent.get("/-/ready").statusCode() == 200);
      TextPage page = page(agent);

      assertThat(page.value("lapwing_gpu_driver_up")).hasValue(0.0);
      assertThat(
              page.value(
                  "lapwing_collector_read_errors_total",
                  "collector",
                  "gpu_driver",
                  "reason",
                  "not_nvml"))
          .isPresent();
      assertThat(source(agent, "nvml").path("why").asText()).contains("is not an NVML library");
    }
  }

  private static JsonNode source(AgentProcess agent, String name) throws Exception {
    JsonNode report = new ObjectMapper().readTree(agent.get("/api/v1/node").body());
    for (JsonNode source : report.path("sources")) {
      if (source.path("name").asText().equals(name)) {
        return source;
      }
    }
    throw new AssertionError("no source " + name + " in " + report);
  }

  @Test
  void aSimulatedNodeIsMarkedEverywhere(@TempDir Path dir) throws Exception {
    try (AgentProcess agent = AgentProcess.start(dir, serving(node(dir)))) {
      await().atMost(TestAgent.PATIENCE).until(() -> agent.get("/-/ready").statusCode() == 200);

      assertThat(page(agent).value("lapwing_simulated")).hasValue(1.0);
      assertThat(agent.get("/").body()).contains("SIMULATED");
      assertThat(new ObjectMapper().readTree(agent.get("/api/v1/node").body()).path("simulated"))
          .isEqualTo(new ObjectMapper().readTree("true"));
      assertThat(agent.err()).contains("this node is simulated");
      assertThat(agent.err().lines().findFirst())
          .hasValueSatisfying(
              line -> assertThat(line).contains("msg=lapwing", "version=", "java="));
      assertThat(agent.out()).isEmpty();
    }
  }

  @Test
  void itEndsOnSigtermEvenWhileAGpuHangs(@TempDir Path dir) throws Exception {
    SimulatedNode node = node(dir);
    try (AgentProcess agent =
        AgentProcess.start(
            dir,
            serving(
                node, "--cadence.fast=200ms", "--cadence.medium=200ms", "--poll.deadline=500ms"))) {
      await()
          .atMost(TestAgent.PATIENCE)
          .until(() -> page(agent).samples("lapwing_gpu_up").size() == 8);
      node.set("gpu.3.block.*", "forever");
      await()
          .atMost(TestAgent.PATIENCE)
          .until(
              () ->
                  page(agent)
                      .value("lapwing_gpu_up", "gpu", "3")
                      .filter(up -> up == 0)
                      .isPresent());
      await().atMost(TestAgent.PATIENCE).until(() -> agent.err().contains("source hangs"));

      agent.terminate();

      assertThat(agent.exitCode()).isIn(0, 143);
      assertThat(agent.err()).contains("source hangs", "source=gpu3");
      assertThat(agent.err()).doesNotContain("Exception");
    }
  }

  @Test
  void itPrintsItsCatalogueItsVersionAndItsHelp(@TempDir Path dir) throws Exception {
    try (AgentProcess metrics = AgentProcess.start(dir, List.of("metrics"));
        AgentProcess version = AgentProcess.start(dir, List.of("--version"));
        AgentProcess agentVersion = AgentProcess.start(dir, List.of("agent", "--version"));
        AgentProcess help = AgentProcess.start(dir, List.of("agent", "--help"))) {
      assertThat(metrics.exitCode()).isZero();
      assertThat(metrics.out().lines())
          .hasSameSizeAs(CollectorGroup.catalogue().metrics())
          .contains(
              "lapwing_gpus gauge (minimal): GPUs reported by the driver (nvmlDeviceGetCount_v2).");
      assertThat(version.exitCode()).isZero();
      assertThat(version.out()).startsWith("lapwing, version ").hasLineCount(4);
      assertThat(agentVersion.exitCode()).isZero();
      assertThat(agentVersion.out()).isEqualTo(version.out());
      assertThat(help.exitCode()).isZero();
      assertThat(help.out()).contains("--web.listen-address", "--[no-]collector.gpu_power");
    }
  }
}
