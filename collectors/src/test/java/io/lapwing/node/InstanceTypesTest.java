package io.lapwing.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.node.InstanceType.Certainty;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceTypesTest {

  private static final Map<String, List<String>> SIZES =
      Map.ofEntries(
          Map.entry("p4d", List.of("24")),
          Map.entry("p4de", List.of("24")),
          Map.entry("p5", List.of("4", "48")),
          Map.entry("p5e", List.of("48")),
          Map.entry("p5en", List.of("48")),
          Map.entry("p6-b200", List.of("48")),
          Map.entry("p6-b300", List.of("48")),
          Map.entry("p6e-gb200", List.of("36")),
          Map.entry("g5", List.of("", "2", "4", "8", "12", "16", "24", "48")),
          Map.entry("g6", List.of("", "2", "4", "8", "12", "16", "24", "48")),
          Map.entry("gr6", List.of("4", "8")),
          Map.entry("g6e", List.of("", "2", "4", "8", "12", "16", "24", "48")),
          Map.entry("g7e", List.of("2", "4", "8", "12", "24", "48")));

  private final InstanceTypes types = InstanceTypes.load();

  private InstanceType type(String name) {
    return types.find(name).orElseThrow();
  }

  @Test
  void everySizeOfEveryFamilyHasOneRow() {
    assertThat(types.all())
        .extracting(InstanceType::name)
        .containsExactlyInAnyOrderElementsOf(
            SIZES.entrySet().stream()
                .flatMap(
                    family ->
                        family.getValue().stream()
                            .map(size -> family.getKey() + "." + size + "xlarge"))
                .toList());
  }

  @ParameterizedTest
  @CsvSource({
    // type, GPUs, model, MiB, EFA devices, Gbps of each, NVLinks
    "p4d.24xlarge, 8, A100, 40960, 4, 100, 12",
    "p5.48xlarge, 8, H100, 81920, 32, 100, 18",
    "p5e.48xlarge, 8, H200, 144384, 32, 100, 18",
    "p5en.48xlarge, 8, H200, 144384, 16, 200, 18",
    "p6-b200.48xlarge, 8, B200, 183359, 8, 400, 18",
    "p6-b300.48xlarge, 8, B300, 275040, 16, 400, 18",
    "g5.12xlarge, 4, A10G, 22888, 1, 40, 0",
    "g6.16xlarge, 1, L4, 22888, 1, 25, 0",
    "g6e.24xlarge, 4, L40S, 45776, 2, 100, 0",
    "g7e.12xlarge, 2, RTX PRO 6000, 98304, 1, 400, 0",
  })
  void aTypeHasTheFiguresOfEc2(
      String name, int gpus, String model, long memory, int devices, int gbps, int nvlinks) {
    InstanceType type = type(name);

    assertThat(type.gpus()).isEqualTo(gpus);
    assertThat(type.gpuModel()).isEqualTo(model);
    assertThat(type.gpuMemoryMiB()).isEqualTo(memory);
    assertThat(type.efaDevices()).isEqualTo(devices);
    assertThat(type.efaGbps()).hasValue(gbps);
    assertThat(type.nvlinksPerGpu()).isEqualTo(nvlinks);
    assertThat(type.certainty()).isEqualTo(Certainty.LISTED);
  }

  @ParameterizedTest
  @CsvSource({
    // type, Gbps of all its EFA devices together
    "p4d.24xlarge, 400",
    "p4de.24xlarge, 400",
    "p5.4xlarge, 100",
    "p5.48xlarge, 3200",
    "p5e.48xlarge, 3200",
    "p5en.48xlarge, 3200",
    "p6-b200.48xlarge, 3200",
    "p6-b300.48xlarge, 6400",
    "g5.24xlarge, 50",
    "g5.48xlarge, 100",
    "g6.12xlarge, 40",
    "g6.48xlarge, 100",
    "gr6.8xlarge, 25",
    "g6e.16xlarge, 35",
    "g6e.24xlarge, 200",
    "g6e.48xlarge, 400",
    "g7e.8xlarge, 100",
    "g7e.24xlarge, 800",
    "g7e.48xlarge, 1600",
  })
  void itsDevicesAddUpToTheAdvertisedBandwidth(String name, int gbps) {
    InstanceType type = type(name);

    assertThat(type.certainEfaDevices().orElseThrow() * type.efaGbps().orElseThrow())
        .isEqualTo(gbps);
  }

  @Test
  void theSingleGpuP5HasNoNvlinks() {
    assertThat(type("p5.4xlarge").gpus()).isEqualTo(1);
    assertThat(type("p5.4xlarge").nvlinksPerGpu()).isZero();
    assertThat(type("p5.4xlarge").certainty()).isEqualTo(Certainty.INFERRED);
  }

  @Test
  void contradictorySourcesAreMarkedAsConflicting() {
    assertThat(type("p6e-gb200.36xlarge").certainty()).isEqualTo(Certainty.CONFLICTING);
    assertThat(type("p6e-gb200.36xlarge").source()).contains("4 EFA devices").contains("8");
    assertThat(type("p6e-gb200.36xlarge").certainEfaDevices()).isEmpty();
    assertThat(type("p5.48xlarge").certainEfaDevices()).hasValue(32);
  }

  @Test
  void figuresAreConsistent() {
    assertThat(types.all())
        .allSatisfy(
            type -> {
              assertThat(type.gpus()).isBetween(1, 8);
              assertThat(type.efaGbps().isPresent()).isEqualTo(type.efaDevices() > 0);
              assertThat(type.nvlinksPerGpu() > 0)
                  .isEqualTo(type.gpus() > 1 && !type.name().startsWith("g"));
              assertThat(type.source()).isNotBlank();
              if (type.fp8Teraflops().isPresent()) {
                assertThat(type.fp8Teraflops().getAsInt())
                    .isBetween(
                        2 * type.bf16Teraflops().orElseThrow() - 1,
                        2 * type.bf16Teraflops().orElseThrow() + 9);
              }
            });
  }

  @Test
  void gpusWithoutFp8AndThoseWithoutADataSheetHaveNoFigure() {
    assertThat(type("p4d.24xlarge").bf16Teraflops()).hasValue(312);
    assertThat(type("p4d.24xlarge").fp8Teraflops()).isEqualTo(OptionalInt.empty());
    assertThat(type("g7e.8xlarge").bf16Teraflops()).isEqualTo(OptionalInt.empty());
  }

  @Test
  void theNamesOfHyperPodAreAliases() {
    assertThat(types.find("ml.p5en.48xlarge")).contains(type("p5en.48xlarge"));
    assertThat(types.find("m7i.large")).isEmpty();
    assertThat(types.find("")).isEmpty();
  }
}
