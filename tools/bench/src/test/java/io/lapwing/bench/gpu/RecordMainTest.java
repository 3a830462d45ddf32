package io.lapwing.bench.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.Recording;
import io.lapwing.simulator.SimulatedNode;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records simulated nodes, plays the recordings, and records again. */
@Tag("slow")
class RecordMainTest {

  private static final String ENGINE = "localhost:5555";

  private static final Set<String> NOT_QUESTIONS = Set.of("index", "absences", "close");

  private final Path dir;

  RecordMainTest(@TempDir Path dir) {
    this.dir = dir;
  }

  private SimulatedNode node(String type, Map<String, String> lines) {
    SimulatedNode node =
        SimulatedNode.create(dir.resolve("host"), InstanceType.named(type).withoutEfa());
    Map<String, String> all = new LinkedHashMap<>();
    all.put("gpu.count", "2");
    all.put("gpu.*.load", "0.5");
    // A rate of nothing keeps the counters where they are.
    List.of("power", "pcie.tx", "pcie.rx", "nvlink.tx", "nvlink.rx")
        .forEach(key -> all.put("gpu.*." + key, "0"));
    List.of("power.instant", "memory.used", "temperature", "temperature.memory")
        .forEach(key -> all.put("gpu.*." + key, "50"));
    all.putAll(lines);
    node.setAll(all);
    return node;
  }

  private Path record(SimulatedNode node, String name, boolean keepIds, String engine)
      throws Exception {
    Path file = dir.resolve(name);
    RecordMain.main(
        new String[] {
          node.library().toString(),
          engine,
          node.dcgmLibrary(4).toString(),
          node.procfs().toString(),
          String.valueOf(keepIds),
          file.toString()
        });
    return file;
  }

  private static Map<String, String> lines(Path file) throws Exception {
    Map<String, String> lines = new TreeMap<>(Recording.read(file).lines());
    lines.replaceAll((key, value) -> rounded(value));
    return lines;
  }

  /** An average over two samples has the errors of floating-point sums. */
  private static String rounded(String value) {
    return value.matches("-?\\d+\\.\\d{7,}")
        ? String.format(Locale.ROOT, "%.5f", Double.parseDouble(value)).replaceFirst("\\.?0+$", "")
        : value;
  }

  private Path recordPlayed(Path recording, String engine) throws Exception {
    SimulatedNode played = SimulatedNode.create(dir.resolve("played"), Recording.read(recording));
    return record(played, "again.state", true, engine);
  }

  @ParameterizedTest
  @ValueSource(strings = {"p5.48xlarge", "p6e-gb200.36xlarge", "p4d.24xlarge"})
  void aPlayedRecordingGivesTheAnswersThatWereRecorded(String type) throws Exception {
    SimulatedNode host =
        node(
            type,
            Map.of(
                "gpu.1.ecc.uncorrected.aggregate.dram", "3",
                "gpu.1.rows.uncorrectable", "2",
                "gpu.1.nvlink.inactive", "5 7",
                "gpu.1.temperature.margin", "unsupported",
                "gpu.1.fieldreturn.82", "999",
                "gpu.1.return.nvmlDeviceGetPersistenceMode", "4"));
    Path first = record(host, "first.state", true, "off");

    assertThat(lines(recordPlayed(first, "off"))).isEqualTo(lines(first));
    assertThat(lines(first))
        .containsEntry("gpu.1.fieldreturn.82", "999")
        .containsEntry("gpu.1.return.nvmlDeviceGetPersistenceMode", "4")
        .containsEntry("gpu.1.ecc.uncorrected.aggregate.dram", "3");
  }

  @Test
  void theInstancesOfMigAreRecorded() throws Exception {
    SimulatedNode host =
        node(
            "p5.48xlarge",
            Map.of(
                "gpu.0.mig.mode", "1",
                "gpu.0.mig.instances", "3:4g.40gb@0 9:1g.10gb@6*0.5",
                "gpu.0.processes", "4711:2048@3"));
    Path first = record(host, "first.state", true, "off");

    assertThat(lines(first))
        .containsEntry("gpu.0.mig.instances", "3:4g.40gb@0*1 9:1g.10gb@6*0.5")
        .containsEntry("gpu.0.processes", "4711:2048@3");
    assertThat(lines(recordPlayed(first, "off"))).isEqualTo(lines(first));
  }

  @Test
  void whatDcgmSamplesOfGpusWithoutGpmIsRecorded() throws Exception {
    SimulatedNode host =
        node(
            "p4d.24xlarge",
            Map.of(
                "gpu.*.gpm.sm_active", "40",
                "dcgm.switches", "2",
                "dcgm.switch.0.fatal", "20034"));
    Path first = record(host, "first.state", true, ENGINE);

    assertThat(lines(first))
        .containsEntry("gpu.0.gpm", "unsupported")
        .containsEntry("gpu.0.gpm.sm_active", "40")
        .containsEntry("dcgm.switch.0.fatal", "20034");
    assertThat(lines(recordPlayed(first, ENGINE))).isEqualTo(lines(first));
  }

  @Test
  void whatDcgmKnowsOfSwitchesPoliciesAndHealthIsRecorded() throws Exception {
    SimulatedNode host =
        node(
            "p4d.24xlarge",
            Map.ofEntries(
                Map.entry("dcgm.version", "4.4.1"),
                Map.entry("dcgm.switches", "6"),
                Map.entry("dcgm.switch.2.temperature", "61"),
                Map.entry("dcgm.switch.4.power", "blank"),
                Map.entry("dcgm.ports", "12"),
                Map.entry("dcgm.link.1.3.status", "0"),
                Map.entry("dcgm.link.1.4.status", "3"),
                Map.entry("dcgm.link.5.11.crc", "17"),
                Map.entry("dcgm.policy.1", "0x48"),
                Map.entry("dcgm.reject.1016", "38"),
                Map.entry("gpu.1.rows.pending", "1"),
                Map.entry("dcgm.incident.0", "0x2000 20 122")));
    Path first = record(host, "first.state", true, ENGINE);

    assertThat(lines(first))
        .containsEntry("dcgm.version", "4.4.1")
        .containsEntry("dcgm.switches", "6")
        .containsEntry("dcgm.switch.2.temperature", "61")
        .containsEntry("dcgm.switch.4.power", "blank")
        .containsEntry("dcgm.ports", "12")
        .containsEntry("dcgm.link.1.3.status", "0")
        .containsEntry("dcgm.link.1.4.status", "3")
        .containsEntry("dcgm.link.*.*.crc", "0")
        .containsEntry("dcgm.link.5.11.crc", "17")
        .containsEntry("dcgm.policy.1", "0x48")
        .containsEntry("dcgm.reject.1016", "38")
        .containsEntry("dcgm.incident.0.1", "0x2000 20 122")
        .containsEntry("dcgm.incident.1.1", "0x10 10 85");
    assertThat(lines(recordPlayed(first, ENGINE))).isEqualTo(lines(first));
  }

  @Test
  void whatDcgmKnowsOfGraceCpusAndImexIsRecorded() throws Exception {
    SimulatedNode host =
        node(
            "p6e-gb200.36xlarge",
            Map.of(
                "dcgm.cpu.1.temperature", "71",
                "dcgm.imex.domain", "DEGRADED",
                "dcgm.imex.daemon", "2"));
    Path first = record(host, "first.state", true, ENGINE);

    assertThat(lines(first))
        .containsEntry("dcgm.cpus", "2")
        .containsEntry("dcgm.cpu.1.temperature", "71")
        .containsEntry("dcgm.imex.domain", "DEGRADED")
        .containsEntry("dcgm.imex.daemon", "2");
    assertThat(first)
        .content()
        .contains("# recorded: DCGM Grace CPUs: 2\n")
        .contains("# not recorded: DCGM NVSwitches: the host engine sees none\n")
        .contains("# not recorded: DCGM activity: NVML has that of all GPUs (GPM)");
    assertThat(lines(recordPlayed(first, ENGINE))).isEqualTo(lines(first));
  }

  @Test
  void theActivityOfInstancesWithoutGpmIsDcgms() throws Exception {
    SimulatedNode host =
        node(
            "p4d.24xlarge",
            Map.of(
                "gpu.0.mig.mode", "1",
                "gpu.0.mig.instances", "3:4g.20gb@0*0.5 9:1g.5gb@6",
                "gpu.0.gpm.sm_active", "80"));
    Path first = record(host, "first.state", true, ENGINE);

    assertThat(lines(first))
        .containsEntry("gpu.0.gpm", "unsupported")
        .containsEntry("gpu.0.mig.instances", "3:4g.20gb@0*0.5 9:1g.5gb@6*1")
        .containsEntry("gpu.0.gpm.sm_active", "80");
    assertThat(lines(recordPlayed(first, ENGINE))).isEqualTo(lines(first));
  }

  @Test
  void anEngineThatListensIsFoundAndNoneIsStarted() throws Exception {
    SimulatedNode host = node("p4d.24xlarge", Map.of());
    Path without = record(host, "without.state", true, "auto");
    Path embedded = record(host, "embedded.state", true, "embedded");
    listen(host);
    Path with = record(host, "with.state", true, "auto");

    assertThat(without)
        .content()
        .contains("# not recorded: DCGM: no DCGM host engine listens on this node\n")
        .contains("dcgm.engine = 0\n");
    assertThat(embedded).content().contains("dcgm.engine = 0\n");
    assertThat(with).content().contains("# recorded: DCGM: 2 GPUs of the host engine 4.4.2\n");
  }

  /** As the kernel lists an engine of root at port 5555. */
  private static void listen(SimulatedNode node) throws Exception {
    Path net = Files.createDirectories(node.procfs().resolve("self/net"));
    Files.writeString(
        net.resolve("tcp"),
        "  sl  local_address ...\n   0: 0100007F:15B3 00000000:0000 0A 00000000:00000000"
            + " 00:00000000 00000000 0 0 4711 1\n");
  }

  @Test
  void aPausedOrRefusingEngineIsRecordedAsSuch() throws Exception {
    SimulatedNode host = node("p4d.24xlarge", Map.of("dcgm.paused", "1"));
    Path paused = record(host, "paused.state", true, ENGINE);
    host.setAll(
        Map.of("dcgm.paused", "0", "dcgm.reject.*", "33", "system.return.dcgmHealthSet_v2", "33"));
    Path refusing = record(host, "refusing.state", true, ENGINE);

    assertThat(paused)
        .content()
        .contains("# not recorded: DCGM activity: another client has paused profiling\n")
        .contains("dcgm.paused = 1\n");
    assertThat(refusing)
        .content()
        .contains("# not recorded: DCGM activity: module_not_loaded\n")
        .contains("# not recorded: DCGM health: module_not_loaded\n")
        .contains("dcgm.reject.1002 = 33\n")
        .contains("system.return.dcgmHealthSet_v2 = 33\n");
    assertThat(lines(recordPlayed(refusing, ENGINE))).isEqualTo(lines(refusing));
  }

  @Test
  void anEngineThatHangsCostsItsOwnAnswersOnly() throws Exception {
    SimulatedNode host =
        node("p4d.24xlarge", Map.of("system.block.dcgmGetEntityGroupEntities", "20"));
    StateLines lines = new StateLines();
    lines.put("gpu.count", "2");

    DcgmRecording.read(
        new DcgmRecording.Place(ENGINE, Optional.of(host.dcgmLibrary(4).toString()), host.procfs()),
        Map.of(),
        Set.of(0),
        Duration.ofSeconds(1),
        lines);

    assertThat(lines.text())
        .contains("# not recorded: DCGM: the host engine did not answer within 1 s\n")
        .contains("gpu.count = 2\ndcgm.engine = 0\n");
  }

  @Test
  void identitiesAreReplacedTheSameWayInEveryRecording() throws Exception {
    SimulatedNode host = node("p6e-gb200.36xlarge", Map.of());
    Path first = record(host, "first.state", false, "off");
    host.set("gpu.*.temperature", "61");
    Path second = record(host, "second.state", false, "off");

    String text = Files.readString(first);
    host.lines()
        .forEach(
            (key, value) -> {
              if (key.matches("gpu\\.(0|1|\\*)\\.(uuid|serial|fabric\\.uuid)")) {
                assertThat(text).doesNotContain(value);
              }
            });
    for (String key : List.of("gpu.0.uuid", "gpu.1.serial", "gpu.0.fabric.uuid")) {
      assertThat(lines(second)).containsEntry(key, lines(first).get(key));
    }
    assertThat(lines(first).get("gpu.0.uuid")).isNotEqualTo(lines(first).get("gpu.1.uuid"));
  }

  /** A question that is added to the port has to be recorded too. */
  @Test
  void everyQuestionOfThePortIsAsked() throws Exception {
    SimulatedNode host =
        node("p5.48xlarge", Map.of("gpu.*.mig.mode", "1", "gpu.*.mig.instances", "9:1g.10gb@6"));
    Nvml nvml = present(JnaNvml.load(host.library().toString(), System::nanoTime));
    present(nvml.init());
    Set<String> asked = new TreeSet<>();
    List<NvmlGpu> real = List.of(present(nvml.gpu(0)), present(nvml.gpu(1)));
    List<NvmlGpu> noted = real.stream().map(gpu -> noting(gpu, real, asked)).toList();

    RecordMain.read(noted, new StateLines(), new Identities(false));

    Set<String> questions =
        Arrays.stream(NvmlGpu.class.getMethods())
            .map(Method::getName)
            .filter(name -> !NOT_QUESTIONS.contains(name))
            .collect(Collectors.toCollection(TreeSet::new));
    asked.removeAll(NOT_QUESTIONS);
    assertThat(asked).isEqualTo(questions);
  }

  /** Notes the questions; a peer that is given is replaced by the real one. */
  private static NvmlGpu noting(NvmlGpu gpu, List<NvmlGpu> real, Set<String> asked) {
    return (NvmlGpu)
        Proxy.newProxyInstance(
            NvmlGpu.class.getClassLoader(),
            new Class<?>[] {NvmlGpu.class},
            (proxy, method, arguments) -> {
              asked.add(method.getName());
              return arguments != null && arguments[0] instanceof NvmlGpu peer
                  ? method.invoke(gpu, real.get(peer.index()))
                  : method.invoke(gpu, arguments);
            });
  }

  private static <T> T present(Reading<T> reading) {
    return reading.toOptional().orElseThrow(() -> new AssertionError("no value: " + reading));
  }
}
