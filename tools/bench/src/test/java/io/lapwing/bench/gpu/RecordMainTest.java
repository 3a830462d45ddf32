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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records simulated nodes, plays the recordings, and records again. */
class RecordMainTest {

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
    Path first = record(host, "first.state", true, "localhost:5555");

    assertThat(lines(first))
        .containsEntry("gpu.0.gpm", "unsupported")
        .containsEntry("gpu.0.gpm.sm_active", "40")
        .containsEntry("dcgm.switch.0.fatal", "20034");
    assertThat(lines(recordPlayed(first, "localhost:5555"))).isEqualTo(lines(first));
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
