package io.lapwing.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.Native;
import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmIncident.Result;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JnaDcgmHealthTest {

  private static final List<DcgmEntity> GPUS =
      IntStream.range(0, 8).mapToObj(JnaDcgmHealthTest::gpu).toList();

  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.of("p4d.24xlarge", dir);
  }

  private static DcgmEntity gpu(int id) {
    return new DcgmEntity(DcgmEntity.Kind.GPU, id);
  }

  private Dcgm dcgm(int major) {
    return StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(major).toString())));
  }

  private DcgmEngine engine(int major) {
    return StillNode.present(dcgm(major).connect(DcgmAddress.TCP));
  }

  private static DcgmHealthWatch watch(DcgmEngine engine) {
    return StillNode.present(engine.watchHealth(GPUS));
  }

  private static List<DcgmIncident> incidents(DcgmHealthWatch watch) {
    return StillNode.present(watch.check());
  }

  private static DcgmIncident incident(int gpu, DcgmHealthSystem system, Result result, int code) {
    return new DcgmIncident(gpu(gpu), system, result, code);
  }

  /** The structs of the response differ. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void anIncidentNamesTheGpuTheSystemTheResultAndTheCode(int major) {
    DcgmHealthWatch watch = watch(engine(major));
    assertThat(incidents(watch)).isEmpty();

    node.setAll(
        Map.of(
            "gpu.1.rows.failure", "1",
            "gpu.2.rows.pending", "1",
            "gpu.3.nvlink.inactive", "5 7",
            "gpu.4.memory.unrepairable", "1",
            "gpu.5.lost", "1"));
    assertThat(incidents(watch))
        .containsExactly(
            incident(1, DcgmHealthSystem.MEM, Result.FAIL, 80),
            incident(2, DcgmHealthSystem.MEM, Result.WARN, 85),
            incident(3, DcgmHealthSystem.NVLINK, Result.FAIL, 14),
            incident(3, DcgmHealthSystem.NVLINK, Result.FAIL, 14),
            incident(4, DcgmHealthSystem.MEM, Result.FAIL, 52),
            incident(5, DcgmHealthSystem.ALL, Result.FAIL, 120));
  }

  @Test
  void anXidCountsFromTheWatchOn() {
    node.set("event.1", "2 xid 95");
    DcgmHealthWatch watch = watch(engine(4));
    assertThat(incidents(watch)).isEmpty();
    node.set("event.2", "2 xid 95");
    assertThat(incidents(watch))
        .containsExactly(incident(2, DcgmHealthSystem.ALL, Result.FAIL, 81));
  }

  @Test
  void aSystemWithoutANameIsTheWholeGpu() {
    node.set("dcgm.incident.4", "0x40000000 15 424242");
    assertThat(incidents(watch(engine(4))))
        .containsExactly(incident(4, DcgmHealthSystem.ALL, Result.FAIL, 424242));
  }

  /** The version of the engine is not always known. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void theNeighbouringStructIsTriedOnce(int major) {
    DcgmLibrary library =
        Native.load(node.dcgmLibrary(major).toString(), DcgmLibrary.class, Map.of());
    Memory handle = new Memory(Long.BYTES);
    Memory params = DcgmStructs.versioned(DcgmStructs.ConnectV2ParamsV2.SIZE, 2);
    assertThat(library.dcgmConnect_v2("localhost", params, handle)).isZero();
    String other = major == 3 ? "" : "3.3.9";
    DcgmEngine engine =
        new JnaDcgmEngine(library, handle.getLong(0), other, new DcgmPolicyCallbacks(), () -> 0);
    DcgmHealthWatch watch = watch(engine);
    node.set("gpu.1.rows.failure", "1");

    assertThat(incidents(watch)).hasSize(1);
    assertThat(incidents(watch)).hasSize(1);
    node.set("system.return.dcgmHealthCheck", "12");
    assertThat(watch.check())
        .isEqualTo(new Reading.Failed<>("dcgmHealthCheck", "version_mismatch"));
  }

  /** An engine has room for 64 groups, of all clients together. */
  @Test
  void anEngineWithoutAHealthModuleIsLeftWithoutAGroup() {
    DcgmEngine engine = engine(4);
    node.set("system.return.dcgmHealthSet_v2", "33");
    for (int i = 0; i < 70; i++) {
      assertThat(engine.watchHealth(GPUS))
          .isEqualTo(new Reading.Failed<>("dcgmHealthSet_v2", "module_not_loaded"));
    }
    node.clear("system.return.dcgmHealthSet_v2");
    for (int i = 0; i < 70; i++) {
      watch(engine).close();
    }
  }

  @Test
  void theWatchesOfAnotherClientStay() {
    Dcgm dcgm = dcgm(4);
    DcgmHealthWatch others = watch(StillNode.present(dcgm.connect(DcgmAddress.TCP)));
    DcgmEngine own = StillNode.present(dcgm.connect(DcgmAddress.TCP));
    node.set("gpu.1.rows.failure", "1");
    assertThat(incidents(watch(own))).hasSize(1);
    own.close();
    assertThat(incidents(others)).hasSize(1);
  }

  @Test
  void anEngineThatWasRestartedFailsTheCheck() {
    DcgmHealthWatch watch = watch(engine(4));
    node.set("dcgm.generation", "1");
    assertThat(watch.check().failure()).contains("connection_not_valid");
  }

  @Test
  void anEmbeddedEngineEndsWithItsLastUser() {
    Dcgm dcgm = dcgm(4);
    DcgmEngine activity = StillNode.present(dcgm.startEmbedded());
    DcgmEngine health = StillNode.present(dcgm.startEmbedded());
    DcgmHealthWatch watch = watch(health);
    activity.close();
    assertThat(incidents(watch)).isEmpty();
    health.close();
    assertThat(health.entities(DcgmEntity.Kind.GPU).failure()).contains("connection_not_valid");

    DcgmEngine next = StillNode.present(dcgm.startEmbedded());
    assertThat(StillNode.present(next.entities(DcgmEntity.Kind.GPU))).hasSize(8);
  }
}
