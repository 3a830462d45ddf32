package io.lapwing.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Memory;
import com.sun.jna.ptr.PointerByReference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The MIG profiles of each model of GPU. */
class MigProfilesTest {

  private static Scenario scenario(String key, String value) {
    return new Scenario("own", "", Map.of(key, value), List.of(), List.of());
  }

  /** Memory in MiB and multiprocessors are those of {@code nvidia-smi mig -lgip}. */
  @ParameterizedTest
  @CsvSource({
    "p4d.24xlarge, 1g.5gb, 14, 4864",
    "p5.48xlarge, 1g.10gb, 16, 9856",
    "p5en.48xlarge, 1g.18gb, 16, 16384",
    "p6-b200.48xlarge, 1g.23gb, 18, 20992",
    "p6-b300.48xlarge, 1g.34gb, 18, 33792",
    "p6e-gb200.36xlarge, 1g.24gb, 18, 20480"
  })
  void theScenarioDividesGpusByTheirSmallestProfile(
      String type, String profile, int multiprocessors, long mebibytes, @TempDir Path dir) {
    SimulatedNode node = TestNode.of(type, dir);
    new ScenarioPlayer(node, Scenario.named("mig")).begin();

    try (Nvml nvml = Nvml.of(node)) {
      PointerByReference device = new PointerByReference();
      assertThat(nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", nvml.device(1), 6, device))
          .isZero();
      assertThat(nvml.text("nvmlDeviceGetName", device.getValue())).endsWith(" MIG " + profile);
      Memory attributes = new Memory(40);
      nvml.call("nvmlDeviceGetAttributes_v2", device.getValue(), attributes);
      assertThat(attributes.getInt(0)).isEqualTo(multiprocessors);
      assertThat(attributes.getLong(32)).isEqualTo(mebibytes);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "p4d.24xlarge",
        "p4de.24xlarge",
        "p5.48xlarge",
        "p5en.48xlarge",
        "p6-b200.48xlarge",
        "p6-b300.48xlarge",
        "p6e-gb200.36xlarge"
      })
  void theLibraryKnowsEachProfileOfTheModel(String type, @TempDir Path dir) {
    SimulatedNode node = TestNode.of(type, dir);
    node.set("gpu.0.mig.mode", "1");
    try (Nvml nvml = Nvml.of(node)) {
      assertThat(node.type().gpu().mig()).hasSizeGreaterThan(4);
      for (String profile : node.type().gpu().mig()) {
        node.set("gpu.0.mig.instances", "7:" + profile + "@0");
        PointerByReference device = new PointerByReference();
        assertThat(nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", nvml.device(0), 0, device))
            .as(profile)
            .isZero();
        assertThat(nvml.text("nvmlDeviceGetName", device.getValue())).endsWith(" MIG " + profile);
      }
    }
  }

  @Test
  void aProfileOfAnotherModelIsAProblemOfTheScenario() {
    Scenario h100 = scenario("gpu.0.mig.instances", "7:1g.10gb@0 8:2g.20gb@2*0.5");

    assertThat(h100.problemOn(InstanceType.named("p5.48xlarge"))).isEmpty();
    assertThat(h100.problemOn(InstanceType.named("p5en.48xlarge")))
        .hasValueSatisfying(
            problem ->
                assertThat(problem)
                    .startsWith("gpu.0.mig.instances: NVIDIA H200 has no MIG profile 1g.10gb")
                    .endsWith(
                        "; it has 1g.18gb, 1g.18gb+me, 1g.35gb, 2g.35gb, 3g.71gb, 4g.71gb,"
                            + " 7g.141gb"));
    assertThat(Scenario.named("mig").problemOn(InstanceType.named("g6.xlarge")))
        .contains("gpu.*.mig.instances: NVIDIA L4 has no MIG");
  }
}
