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
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The agent's page on a recording that is played is that of the host. */
class PlayedPageTest {

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
    Path file = dir.resolve("host.state");
    RecordMain.main(new String[] {host.library().toString(), "off", "", "true", file.toString()});
    SimulatedNode played = SimulatedNode.create(dir.resolve("played"), Recording.read(file));

    List<String> expected = samples(host, "host.log");
    assertThat(expected).hasSizeGreaterThan(200);
    assertThat(samples(played, "played.log")).containsExactlyInAnyOrderElementsOf(expected);
  }

  private List<String> samples(SimulatedNode node, String log) throws Exception {
    Path folder = dir.resolve(log);
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>(SimulatedSmi.agent(node));
    try (AgentUnderTest agent = AgentUnderTest.start(command, folder)) {
      // A second round: rates are of two.
      Thread.sleep(2500);
      return agent
          .page()
          .lines()
          .filter(line -> line.startsWith("DCGM_") || line.startsWith("lapwing_gpu_"))
          // Of the host, not of its GPUs: a recording has none.
          .filter(line -> !line.startsWith("lapwing_gpu_service_"))
          .toList();
    }
  }
}
