package io.lapwing.dcgm;

import static io.lapwing.Waiting.await;
import static io.lapwing.dcgm.DcgmPolicyCondition.DBE;
import static io.lapwing.dcgm.DcgmPolicyCondition.POWER;
import static io.lapwing.dcgm.DcgmPolicyCondition.THERMAL;
import static io.lapwing.dcgm.DcgmPolicyCondition.XID;
import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JnaDcgmPoliciesTest {

  private static final List<DcgmEntity> GPUS =
      IntStream.range(0, 8).mapToObj(JnaDcgmPoliciesTest::gpu).toList();

  private final List<DcgmEngine> engines = new ArrayList<>();
  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path dir) {
    node = StillNode.of("p4d.24xlarge", dir);
  }

  @AfterEach
  void closeEngine() {
    engines.forEach(DcgmEngine::close);
  }

  private static DcgmEntity gpu(int id) {
    return new DcgmEntity(DcgmEntity.Kind.GPU, id);
  }

  private DcgmEngine engine(int major) {
    Dcgm dcgm = StillNode.present(JnaDcgm.load(List.of(node.dcgmLibrary(major).toString())));
    DcgmEngine engine = StillNode.present(dcgm.connect(DcgmAddress.TCP));
    engines.add(engine);
    return engine;
  }

  private static DcgmPolicies policies(DcgmEngine engine) {
    return StillNode.present(engine.policies(GPUS));
  }

  private static void awaitViolations(
      DcgmPolicies policies, int gpu, DcgmPolicyCondition condition, long count) {
    await()
        .untilAsserted(() -> assertThat(policies.violations(gpu(gpu), condition)).isEqualTo(count));
  }

  /** The call, the response and who says which GPU it was differ. */
  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void aViolationIsCountedForItsGpuAndCondition(int major) {
    node.setAll(Map.of("dcgm.policy.3", "0x48", "dcgm.policy.5", "1"));
    DcgmPolicies policies = policies(engine(major));
    assertThat(StillNode.present(policies.set()))
        .hasSize(8)
        .containsEntry(gpu(3), Set.of(THERMAL, XID))
        .containsEntry(gpu(5), Set.of(DBE))
        .containsEntry(gpu(0), Set.of());

    node.set("dcgm.violation.1", "3 8"); // before anybody registered
    assertThat(policies.register()).isEqualTo(Reading.of(true));
    node.setAll(
        Map.of(
            "dcgm.violation.2", "3 8",
            "dcgm.violation.3", "3 16", // not part of the policy
            "dcgm.violation.4", "3 8",
            "dcgm.violation.5", "5 1"));
    awaitViolations(policies, 3, THERMAL, 2);
    awaitViolations(policies, 5, DBE, 1);
    assertThat(policies.violations(gpu(3), XID)).isZero();
    assertThat(policies.violations(gpu(3), POWER)).isZero();
    assertThat(policies.violations(gpu(5), THERMAL)).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void aConditionThatIsAddedToThePolicyLaterCountsWithoutAnotherRegistration(int major) {
    node.set("dcgm.policy.*", "0x1");
    DcgmPolicies policies = policies(engine(major));
    policies.register();
    node.set("dcgm.policy.2", "0x11");
    assertThat(StillNode.present(policies.set())).containsEntry(gpu(2), Set.of(DBE, POWER));
    node.set("dcgm.violation.1", "2 16");
    awaitViolations(policies, 2, POWER, 1);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void whatIsClosedCountsNoMore(int major) {
    node.set("dcgm.policy.*", "0x1");
    DcgmEngine engine = engine(major);
    DcgmPolicies first = policies(engine);
    first.register();
    first.close();
    DcgmPolicies second = policies(engine);
    second.register();
    node.set("dcgm.violation.1", "2 1");
    awaitViolations(second, 2, DBE, 1);
    assertThat(first.violations(gpu(2), DBE)).isZero();
  }

  @Test
  void anEngineWithoutThePolicyModuleIsSaid() {
    DcgmPolicies policies = policies(engine(4));
    node.setAll(
        Map.of("system.return.dcgmPolicyGet", "33", "system.return.dcgmPolicyRegister_v2", "33"));
    assertThat(policies.set())
        .isEqualTo(new Reading.Failed<>("dcgmPolicyGet", "module_not_loaded"));
    assertThat(policies.register())
        .isEqualTo(new Reading.Failed<>("dcgmPolicyRegister_v2", "module_not_loaded"));
  }

  /** Its policy would be taken for that of the GPU before. */
  @Test
  void anAnswerThatLeavesOutAGpuIsNotUsed() {
    DcgmPolicies policies = policies(engine(4));
    node.set("gpu.4.missing", "1");
    assertThat(policies.set()).isEqualTo(new Reading.Failed<>("dcgmPolicyGet", "gpu_is_lost"));
  }

  @Test
  void anEngineWithoutGpusHasNoPolicies() {
    assertThat(StillNode.present(StillNode.present(engine(4).policies(List.of())).set())).isEmpty();
  }
}
