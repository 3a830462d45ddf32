package io.lapwing.bench.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.bench.gpu.RecordMain;
import io.lapwing.simulator.InstanceType;
import io.lapwing.simulator.Recording;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent's page on a recording that is played is that of the host. */
@Tag("slow")
class PlayedPageTest {

  private static final String ENGINE = "localhost:5555";

  private final Path dir;

  PlayedPageTest(@TempDir Path dir) {
    this.dir = dir;
  }

  static Stream<Arguments> nodes() {
    return Stream.of(
        Arguments.of("p5.48xlarge", Map.of("gpu.0.ecc.corrected.volatile.dram", "3")),
        Arguments.of("p6e-gb200.36xlarge", Map.of("gpu.1.nvlink.symbol_errors", "12")),
        Arguments.of("p5.48xlarge", SimulatedSmi.divided()));
  }

  static Stream<Arguments> nodesWithEngine() {
    return Stream.of(
        Arguments.of(
            "p6e-gb200.36xlarge",
            Map.of(
                "dcgm.imex.daemon", "2",
                "dcgm.imex.domain", "DEGRADED",
                "dcgm.cpu.1.power", "0",
                "dcgm.policy.1", "0x48",
                "dcgm.incident.1", "0x100 20 31")),
        Arguments.of(
            "p4d.24xlarge",
            Map.of(
                "dcgm.switches", "6",
                "dcgm.switch.3.fatal", "20034",
                "dcgm.link.3.7.crc", "11",
                "dcgm.link.*.*.tx", "4711",
                "dcgm.link.*.*.rx", "4712",
                "dcgm.reject.1010", "38")));
  }

  /** At a moment that does not pass, so that counters are the same; there is no GPM then. */
  @ParameterizedTest
  @MethodSource("nodes")
  void hasTheSamplesOfTheHost(String type, Map<String, String> lines) throws Exception {
    SimulatedNode host =
        SimulatedNode.create(dir.resolve("host"), InstanceType.named(type).withoutEfa());
    Map<String, String> all = new LinkedHashMap<>(lines);
    all.put("gpu.count", "2");
    host.setAll(all);
    host.freeze(Instant.parse("2026-01-01T01:00:00Z"));
    SimulatedNode played = played(host, "off");

    List<String> expected = samples(host, "host.log", "off", "(DCGM_|lapwing_gpu_).*");
    assertThat(expected).hasSizeGreaterThan(200);
    assertThat(samples(played, "played.log", "off", "(DCGM_|lapwing_gpu_).*"))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  /** What only DCGM has, of constant activity, while time passes: samples of an engine get old. */
  @ParameterizedTest
  @MethodSource("nodesWithEngine")
  void hasTheSamplesOfDcgm(String type, Map<String, String> lines) throws Exception {
    SimulatedNode host =
        SimulatedNode.create(dir.resolve("host"), InstanceType.named(type).withoutEfa());
    Map<String, String> all = new LinkedHashMap<>(SimulatedSmi.CONSTANT);
    all.put("gpu.count", "2");
    all.put("gpu.*.gpm.sm_active", "40");
    all.putAll(lines);
    host.setAll(all);
    SimulatedNode played = played(host, ENGINE);
    String ofDcgm =
        "(DCGM_FI_DEV_(NVSWITCH|CPU|SYSIO|MODULE)|DCGM_FI_(IMEX|PROF)"
            + "|lapwing_(dcgm_(up|info|field)|imex|gpu_(dcgm|activity_info))).*";

    List<String> expected = samples(host, "host.log", ENGINE, ofDcgm);
    assertThat(expected).hasSizeGreaterThan(20);
    assertThat(samples(played, "played.log", ENGINE, ofDcgm))
        .containsExactlyInAnyOrderElementsOf(expected);
  }

  private SimulatedNode played(SimulatedNode host, String engine) throws Exception {
    Path file = dir.resolve("host.state");
    RecordMain.main(
        new String[] {
          host.library().toString(),
          engine,
          host.dcgmLibrary(4).toString(),
          host.procfs().toString(),
          "true",
          file.toString()
        });
    return SimulatedNode.create(dir.resolve("played"), Recording.read(file));
  }

  private List<String> samples(SimulatedNode node, String log, String engine, String families)
      throws Exception {
    Path folder = dir.resolve(log);
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>(SimulatedSmi.agent(node));
    command.add("--dcgm.engine=" + engine);
    try (AgentUnderTest agent = AgentUnderTest.start(command, folder)) {
      // A second round: rates are of two.
      Thread.sleep(engine.equals("off") ? 2500 : 6000);
      return agent
          .page()
          .lines()
          // Of the host, not of its GPUs: a recording has none.
          .filter(line -> !line.startsWith("lapwing_gpu_service_"))
          .filter(line -> line.matches(families))
          .map(PlayedPageTest::rounded)
          .toList();
    }
  }

  /** An average over a period has the errors of floating-point sums. */
  private static String rounded(String sample) {
    int space = sample.lastIndexOf(' ');
    String value = sample.substring(space + 1);
    return value.contains(".")
        ? sample.substring(0, space + 1) + (float) Double.parseDouble(value)
        : sample;
  }
}
