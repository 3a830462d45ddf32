package io.lapwing.bench.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DcgmiOutputTest {

  /** In the form of DCGM 4 with two GPUs, as users publish it. */
  private static final String DISCOVERY =
      """
      2 GPUs found (Active).
      +--------+----------------------------------------------------------------------+
      | GPU ID | Device Information                                                   |
      +--------+----------------------------------------------------------------------+
      | 0      | Name: NVIDIA A100-SXM4-40GB                                          |
      |        | PCI Bus ID: 00000000:10:1C.0                                         |
      |        | Device UUID: GPU-0b5f4a6b-7a7a-6c41-0875-b8c8d963b0af                |
      +--------+----------------------------------------------------------------------+
      | 1      | Name: NVIDIA A100-SXM4-40GB                                          |
      |        | PCI Bus ID: 00000000:10:1D.0                                         |
      |        | Device UUID: GPU-474d838c-171f-d249-4f45-bbc01a8eb74a                |
      +--------+----------------------------------------------------------------------+
      1 NvSwitches found.
      +-----------+
      | Switch ID |
      +-----------+
      | 8         |
      +-----------+
      """;

  private static final String DMON =
      """
      #Entity   TMPTR  SMACT  DRAMA
      ID               \s
      GPU 0     41     N/A    N/A
      GPU 1     43     0.000  1e-3
      GPU 0     42     0.912  0.5
      GPU-I 3   42     0.912  0.5
      GPU 1     torn
      """;

  @Test
  void theNumbersOfGpusAreReadByUuid() {
    assertThat(DcgmiOutput.ids(DISCOVERY))
        .containsExactly(
            Map.entry("GPU-0b5f4a6b-7a7a-6c41-0875-b8c8d963b0af", 0),
            Map.entry("GPU-474d838c-171f-d249-4f45-bbc01a8eb74a", 1));
    assertThat(DcgmiOutput.ids("GPU ID: 3\nName: L4\nDevice UUID: GPU-9d3de631\n"))
        .containsExactly(Map.entry("GPU-9d3de631", 3));
    assertThat(DcgmiOutput.ids("Error: unable to establish a connection")).isEmpty();
  }

  @Test
  void valuesAreReadByGpuAndFieldAndAbsentOnesLeftOut() {
    Map<Integer, Map<Integer, List<Double>>> readings =
        DcgmiOutput.readings(DMON, List.of(150, 1002, 1005));
    assertThat(readings)
        .containsOnly(
            Map.entry(
                0, Map.of(150, List.of(41.0, 42.0), 1002, List.of(0.912), 1005, List.of(0.5))),
            Map.entry(1, Map.of(150, List.of(43.0), 1002, List.of(0.0), 1005, List.of(0.001))));
  }

  @Test
  void rowsOfOtherColumnsAreNotRead() {
    assertThat(DcgmiOutput.readings(DMON, List.of(150, 1002))).isEmpty();
  }

  @Test
  void aGpuOrAFieldWithoutValuesHasNone() {
    DcgmiOutput output = new DcgmiOutput(Optional.empty(), Map.of("GPU-1", 0), Map.of());
    assertThat(output.of("GPU-1", 150)).isEmpty();
    assertThat(output.of("GPU-2", 150)).isEmpty();
    assertThat(DcgmiOutput.NO_DCGMI.problem()).contains("no dcgmi");
  }
}
