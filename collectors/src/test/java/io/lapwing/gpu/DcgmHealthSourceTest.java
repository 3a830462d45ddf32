package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Access;
import io.lapwing.collect.Reading;
import io.lapwing.collect.RecordedSink;
import io.lapwing.dcgm.DcgmAddress;
import io.lapwing.dcgm.DcgmHealthSystem;
import io.lapwing.dcgm.DcgmIncident.Result;
import io.lapwing.dcgm.DcgmMode;
import io.lapwing.dcgm.JnaDcgm;
import io.lapwing.gpu.DcgmHealthBoard.Status;
import io.lapwing.metric.Labels;
import io.lapwing.nvml.FakeNvml;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The source on the simulated library, and the subject that exposes what it finds. */
class DcgmHealthSourceTest {

  private static final Status FAILED = new Status(Result.FAIL, 80);

  private final DcgmHealthBoard board = new DcgmHealthBoard(() -> Duration.ofMinutes(4));
  private final FakeNvml nvml = new FakeNvml(8);
  private final NvmlDriver driver = new NvmlDriver(() -> Reading.of(nvml));
  private final GpuRoster roster = new GpuRoster();
  private SimulatedNode node;
  private DcgmHealthSource source;
  private double passed;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.of("p4d.24xlarge", dir);
    source = source(new DcgmMode.At(DcgmAddress.TCP));
  }

  private DcgmHealthSource source(DcgmMode mode) {
    List<String> libraries = List.of(node.dcgmLibrary(4).toString());
    return new DcgmHealthSource(
        new HostEngineAccess(mode, new HostEngines(node.procfs()), () -> JnaDcgm.load(libraries)),
        new GpuContext(driver, roster, Probe.VIEW, this::now, () -> 0),
        board);
  }

  private Instant now() {
    return Instant.ofEpochSecond(StillNode.EPOCH).plusMillis(Math.round(passed * 1000));
  }

  private Access round(double seconds) {
    passed += seconds;
    StillNode.letPass(node, passed);
    return source.begin(source.collectors());
  }

  private String uuid(int gpu) {
    return node.lines().getOrDefault("gpu." + gpu + ".uuid", "");
  }

  private Map<DcgmHealthSystem, Status> health(int gpu) {
    return board.health(uuid(gpu), now()).orElseThrow();
  }

  /** Of PCIe, heat and power the engine has no samples in the first minute, and passes them. */
  @Test
  void incidentsCountAtOnceAndTheAbsenceOfThemAfterAMinute() {
    node.set("gpu.1.rows.failure", "1");
    assertThat(round(0)).isEqualTo(Access.READY);
    assertThat(health(0)).isEmpty();
    assertThat(health(1)).isEqualTo(Map.of(DcgmHealthSystem.MEM, FAILED));

    round(60);
    assertThat(health(0))
        .hasSize(11)
        .allSatisfy((system, one) -> assertThat(one).isEqualTo(Status.PASS));
    assertThat(health(1))
        .hasSize(11)
        .containsEntry(DcgmHealthSystem.MEM, FAILED)
        .containsEntry(DcgmHealthSystem.NVLINK, Status.PASS);
    node.clear("gpu.1.rows.failure");
    round(60);
    assertThat(health(1)).containsEntry(DcgmHealthSystem.MEM, Status.PASS);
  }

  @Test
  void theWorstIncidentOfASystemCounts() {
    node.setAll(Map.of("gpu.1.rows.failure", "1", "gpu.1.rows.pending", "1"));
    round(0);
    assertThat(health(1)).isEqualTo(Map.of(DcgmHealthSystem.MEM, FAILED));
  }

  /** DCGM's number of a GPU is not NVML's index where a GPU is missing. */
  @Test
  void gpusAreKnownByTheirUuid() {
    node.setAll(Map.of("gpu.2.missing", "1", "gpu.5.rows.failure", "1"));
    round(0);
    assertThat(health(5)).isNotEmpty();
    assertThat(health(4)).isEmpty();
    assertThat(board.health(uuid(2), now())).isEmpty();
    assertThat(board.why(uuid(2))).isEqualTo("no_data");
  }

  /** The watch for IMEX names no GPU; all of them need it. */
  @Test
  void anIncidentOfTheNodeIsOneOfEachGpu() {
    node.set("dcgm.incident.0", "0x2000 20 128");
    round(0);
    for (int gpu = 0; gpu < 8; gpu++) {
      assertThat(health(gpu))
          .isEqualTo(Map.of(DcgmHealthSystem.IMEX, new Status(Result.FAIL, 128)));
    }
  }

  @Test
  void imexIsKnownByItsCodeAndIsNotTheNvlinkOfAGpu() {
    node.set("dcgm.incident.0", "0x2 20 122");
    round(0);
    round(60);
    for (int gpu = 0; gpu < 8; gpu++) {
      assertThat(health(gpu))
          .containsEntry(DcgmHealthSystem.IMEX, new Status(Result.FAIL, 122))
          .containsEntry(DcgmHealthSystem.NVLINK, Status.PASS);
    }
  }

  private RecordedSink imex() {
    return RecordedSink.of(source.collectors().get(1));
  }

  @Test
  void imexIsAStateOfTheNode() {
    node.setAll(Map.of("dcgm.imex.domain", "UP", "dcgm.imex.daemon", "5"));
    round(0);
    assertThat(imex().lines())
        .containsExactly(
            "lapwing_imex_domain_state{state=\"UP\"} 1",
            "DCGM_FI_IMEX_DAEMON_STATUS{Hostname=\"node-1\"} 5",
            "lapwing_imex_daemon_state{state=\"READY\"} 1");

    node.setAll(Map.of("dcgm.imex.domain", "DEGRADED", "dcgm.imex.daemon", "-2"));
    round(60);
    assertThat(imex().lines())
        .containsExactly(
            "lapwing_imex_domain_state{state=\"DEGRADED\"} 1",
            "DCGM_FI_IMEX_DAEMON_STATUS{Hostname=\"node-1\"} -2",
            "lapwing_imex_daemon_state{state=\"NOT_CONFIGURED\"} 1");
    assertThat(imex().failures()).isEmpty();
  }

  @Test
  void aStateOfImexThatIsRefusedOrBlankIsAbsentAndTheOtherStays() {
    node.setAll(Map.of("dcgm.imex.domain", "<<<NULL>>>", "dcgm.imex.daemon", "5"));
    round(0);
    assertThat(imex().lines())
        .containsExactly(
            "DCGM_FI_IMEX_DAEMON_STATUS{Hostname=\"node-1\"} 5",
            "lapwing_imex_daemon_state{state=\"READY\"} 1");
    assertThat(imex().failures()).isEmpty();

    source.close();
    node.setAll(Map.of("dcgm.imex.domain", "DOWN", "dcgm.reject.1503", "6"));
    round(60);
    assertThat(imex().lines())
        .containsExactly(
            "lapwing_dcgm_field_rejected{field=\"DCGM_FI_IMEX_DAEMON_STATUS\",reason=\"not_supported\"} 1",
            "lapwing_imex_domain_state{state=\"DOWN\"} 1");
    assertThat(health(0)).isEmpty();
  }

  /** Another connection would count XIDs from now on only, and pass nothing for a minute. */
  @Test
  void anAnswerWithoutResultsKeepsTheWatches() {
    round(0);
    round(60);
    node.set("system.return.dcgmHealthCheck", "14");
    assertThat(round(60)).isInstanceOf(Access.Down.class);
    assertThat(board.why(uuid(0))).isEqualTo("no_data");
    node.clear("system.return.dcgmHealthCheck");
    round(60);
    assertThat(health(0)).hasSize(11);
  }

  @Test
  void aGpuThatIsAddedLaterIsWatchedToo() {
    node.set("gpu.2.missing", "1");
    round(0);
    round(60);
    assertThat(board.health(uuid(2), now())).isEmpty();
    node.clear("gpu.2.missing");
    GpuIdentity added = new GpuIdentity(2, uuid(2), "", "", "", "", "", "");
    roster.present(new GpuRoster.Known(added, Labels.NONE, Labels.NONE, 1));
    round(60);
    assertThat(board.health(uuid(2), now())).isPresent();
    round(60);
    assertThat(health(2)).hasSize(11);
  }

  /** After a restart of the agent the findings of DCGM stay until it was asked. */
  @Test
  void beforeTheFirstCheckTheResultsAreNotKnown() {
    assertThat(board.why(uuid(0))).isEqualTo("starting");
  }

  @Test
  void aHealthModuleThatIsMissingOrGoneIsSaidAndTriedAgain() {
    node.set("system.return.dcgmHealthSet_v2", "33");
    assertThat(round(0))
        .isEqualTo(
            new Access.Down(
                "module_not_loaded",
                "health watches of the host engine localhost:5555: module_not_loaded"));
    assertThat(board.why(uuid(0))).isEqualTo("module_not_loaded");
    node.clear("system.return.dcgmHealthSet_v2");
    assertThat(round(60)).isEqualTo(Access.READY);

    node.set("dcgm.engine", "0");
    assertThat(round(60)).isInstanceOf(Access.Down.class);
    assertThat(board.health(uuid(0), now())).isEmpty();
    assertThat(board.why(uuid(0))).isEqualTo("connection_not_valid");
    node.set("dcgm.engine", "1");
    assertThat(round(60)).isEqualTo(Access.READY);
    assertThat(board.health(uuid(0), now())).isPresent();
  }

  @Test
  void aCheckThatIsNotFollowedByAnotherIsStale() {
    round(0);
    passed += 241;
    assertThat(board.health(uuid(0), now())).isEmpty();
    assertThat(board.why(uuid(0))).isEqualTo("stale");
  }

  @Test
  void aNodeWithoutAnEngineIsAsOneThatDoesNotUseDcgm() {
    source = source(new DcgmMode.Auto());
    assertThat(round(0)).isInstanceOf(Access.NothingHere.class);
    assertThat(board.why(uuid(0))).isEqualTo("dcgm_off");
  }

  @Test
  void whileTheGpusAreReleasedNoEngineIsUsed() {
    source = source(new DcgmMode.Embedded());
    round(0);
    assertThat(driver.release().users()).isEqualTo(1);
    driver.release().set(Optional.of("for maintenance"));
    assertThat(round(60))
        .isEqualTo(new Access.Down("released", "the GPUs are released for maintenance"));
    assertThat(driver.release().users()).isZero();
    driver.release().set(Optional.empty());
    assertThat(round(60)).isEqualTo(Access.READY);
    source.close();
    assertThat(board.why(uuid(0))).isEqualTo("dcgm_off");
  }

  @Test
  void anEmbeddedEngineEndsWhenAnotherIsStarted() throws IOException {
    source = source(new DcgmMode.Embedded());
    assertThat(round(0)).isEqualTo(Access.READY);
    Path other = Files.createDirectories(node.procfs().resolve("812")).resolve("comm");

    Files.writeString(other, "nv-hostengine\n");
    assertThat(round(60)).asString().contains("engine_elsewhere", "nv-hostengine (pid 812)");
    assertThat(driver.release().users()).isZero();

    Files.delete(other);
    assertThat(round(60)).isEqualTo(Access.READY);
  }

  private static List<String> linesOfDcgm(Probe gpu, double seconds) {
    return gpu.at(seconds).gpuLines().stream()
        .filter(line -> !line.startsWith("DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION"))
        .toList();
  }

  @Test
  void aGpuExposesItsResultsOrWhyThereAreNone() {
    StillNode.present(nvml.init());
    DcgmHealthBoard board = new DcgmHealthBoard(() -> Duration.ofMinutes(4));
    Probe gpu = new Probe(GpuErrors.recovery(board), StillNode.present(nvml.gpu(0)));
    assertThat(linesOfDcgm(gpu, 0)).isEmpty();

    board.publish(
        Map.of(
            "GPU-0",
            Map.of(
                DcgmHealthSystem.PCIE, Status.PASS,
                DcgmHealthSystem.NVLINK, new Status(Result.FAIL, 14),
                DcgmHealthSystem.ALL, new Status(Result.WARN, 424242))),
        now());
    assertThat(linesOfDcgm(gpu, 1))
        .containsExactly(
            "lapwing_gpu_dcgm_health_info{source=\"dcgm\",reason=\"\"} 1",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=\"DCGM_FR_OK\",health_watch=\"PCIE\"} 0",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=\"DCGM_FR_NVLINK_DOWN\",health_watch=\"NVLINK\"} 20",
            "DCGM_EXP_GPU_HEALTH_STATUS{health_error_code=\"DCGM_FR_UNKNOWN(424242)\",health_watch=\"ALL\"} 10");
    board.unavailable("module_not_loaded");
    assertThat(linesOfDcgm(gpu, 2))
        .containsExactly(
            "lapwing_gpu_dcgm_health_info{source=\"none\",reason=\"module_not_loaded\"} 1");
  }
}
