package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.bench.MetricsPage;
import io.lapwing.simulator.Recording;
import io.lapwing.simulator.SimulatedNode;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real H100 that is played: {@code h100/ORIGIN.md}. */
class RecordedH100Test {

  @Test
  void theAgentAgreesWithWhatNvidiaSmiSaidOfIt(@TempDir Path dir) throws Exception {
    String page = page(dir, "idle.state");
    List<SmiGpu> gpus = NvidiaSmi.parse(bytes("idle-nvidia-smi.xml"));
    Phase phase =
        new Phase(
            "idle",
            List.of(gpus),
            page,
            MetricsPage.parse(page),
            NvlinkOutput.parse(""),
            List.of(),
            DcgmiOutput.NO_DCGMI);
    List<Row> rows = PhaseChecks.rows(phase, Set.of());
    assertThat(rows.stream().filter(Row::isMismatch).map(Row::line)).isEmpty();
    assertThat(rows.stream().filter(row -> row.verdict() == Row.Verdict.OK))
        .as("compared")
        .hasSizeGreaterThan(50);
  }

  /** The families that its agent had, and those that it lost to a list of 461 fields. */
  @Test
  void theAgentHasTheFamiliesOfTheHost(@TempDir Path dir) throws Exception {
    Set<String> ofHost = MetricsPage.parse(new String(bytes("loaded.prom"), UTF_8)).dcgmNames();
    ofHost.remove("DCGM_EXP_CLOCK_EVENTS_COUNT"); // of the minute before
    MetricsPage page = MetricsPage.parse(page(dir, "loaded.state"));
    assertThat(page.dcgmNames())
        .containsAll(ofHost)
        .contains("DCGM_FI_DEV_ECC_PENDING", "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL");
    assertThat(page.named("DCGM_FI_DEV_POWER_MGMT_LIMIT_MIN").map(MetricsPage.Series::value))
        .containsExactly(200.0);
    assertThat(page.named("DCGM_FI_PROF_PIPE_FP32_ACTIVE").map(MetricsPage.Series::value))
        .singleElement()
        .satisfies(ratio -> assertThat(ratio).isBetween(0.89, 0.9));
  }

  private static String page(Path dir, String recording) throws Exception {
    SimulatedNode node = SimulatedNode.create(dir.resolve("node"), Recording.read(file(recording)));
    Path log = Files.createDirectory(dir.resolve("log"));
    try (AgentUnderTest agent = AgentUnderTest.start(SimulatedSmi.agent(node), log)) {
      Thread.sleep(2500); // A second round: activity is of two.
      return agent.page();
    }
  }

  private static Path file(String name) throws URISyntaxException {
    return Path.of(
        Objects.requireNonNull(RecordedH100Test.class.getResource("h100/" + name)).toURI());
  }

  private static byte[] bytes(String name) throws Exception {
    try (InputStream in = Files.newInputStream(file(name))) {
      return in.readAllBytes();
    }
  }
}
