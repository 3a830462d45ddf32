package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Reading;
import io.lapwing.simulator.SimulatedNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What each return code of the C library becomes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class NvmlReturnTest {

  private static final List<Integer> UNSUPPORTED = List.of(3, 22, 25, 26);
  private static final String CALL = "nvmlDeviceGetPowerUsage";

  /** The words are label values, so a change of one breaks an alert. */
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(1, "uninitialized"),
          Map.entry(2, "invalid_argument"),
          Map.entry(4, "no_permission"),
          Map.entry(5, "already_initialized"),
          Map.entry(6, "not_found"),
          Map.entry(7, "insufficient_size"),
          Map.entry(8, "insufficient_power"),
          Map.entry(9, "driver_not_loaded"),
          Map.entry(10, "timeout"),
          Map.entry(11, "irq_issue"),
          Map.entry(12, "library_not_found"),
          Map.entry(14, "corrupted_inforom"),
          Map.entry(15, "gpu_is_lost"),
          Map.entry(16, "reset_required"),
          Map.entry(17, "operating_system"),
          Map.entry(18, "lib_rm_version_mismatch"),
          Map.entry(19, "in_use"),
          Map.entry(20, "memory"),
          Map.entry(21, "no_data"),
          Map.entry(23, "insufficient_resources"),
          Map.entry(24, "freq_not_supported"),
          Map.entry(27, "not_ready"),
          Map.entry(28, "gpu_not_found"),
          Map.entry(29, "invalid_state"),
          Map.entry(30, "reset_type_not_supported"),
          Map.entry(999, "unknown"),
          Map.entry(500, "unknown"));

  private SimulatedNode node;
  private Nvml nvml;

  @BeforeAll
  void openNode(@TempDir Path dir) {
    node = StillNode.p5(dir);
    nvml = StillNode.nvml(node);
  }

  @AfterAll
  void shutDown() {
    nvml.shutdown();
  }

  static IntStream codes() {
    return IntStream.concat(IntStream.rangeClosed(1, 30), IntStream.of(999, 500));
  }

  private NvmlGpu newHandle() {
    return StillNode.present(nvml.gpu(0));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void aPlainCallDistinguishesAbsenceFromFailureByTheCode(int code) {
    node.set("gpu.0.return." + CALL, String.valueOf(code));
    assertThat(newHandle().powerUsage()).isEqualTo(expected(code, CALL));
  }

  private static Reading<Integer> expected(int code, String question) {
    if (UNSUPPORTED.contains(code)) {
      return new Reading.Unsupported<>(question);
    }
    return code == 13
        ? new Reading.Missing<>(question)
        : new Reading.Failed<>(question, REASONS.getOrDefault(code, "no reason"));
  }

  /** A driver that is older than a field answers INVALID_ARGUMENT for it. */
  @ParameterizedTest
  @MethodSource("codes")
  void aFieldDistinguishesAbsenceFromFailureByItsOwnCode(int code) {
    FieldKey field = NvmlField.MEMORY_TEMPERATURE.whole();
    node.set("gpu.0.fieldreturn.82", String.valueOf(code));
    FieldValues values = newHandle().fields(List.of(field, NvmlField.PCIE_REPLAY.whole()));
    Reading<Integer> expected =
        code == 2 ? new Reading.Missing<>("field 82") : expected(code, "field 82");
    assertThat(values.get(field)).isEqualTo(expected);
    assertThat(values.failure()).isEmpty();
    assertThat(values.get(NvmlField.PCIE_REPLAY.whole())).isEqualTo(Reading.of(0.0));
  }

  @ParameterizedTest
  @MethodSource("codes")
  void aBatchThatFailsAsAWholeFailsEveryField(int code) {
    FieldKey field = NvmlField.PCIE_REPLAY.whole();
    node.set("gpu.0.return.nvmlDeviceGetFieldValues", String.valueOf(code));
    FieldValues values = newHandle().fields(List.of(field));
    node.clear("gpu.0.return.nvmlDeviceGetFieldValues");
    Reading<Integer> expected = expected(code, "nvmlDeviceGetFieldValues");
    assertThat(values.get(field)).isEqualTo(expected);
    assertThat(values.failure()).isEqualTo(expected.failure());
  }

  @Test
  void everyCodeOfTheHeaderIsKnown() {
    assertThat(codes().filter(code -> !UNSUPPORTED.contains(code) && code != 13))
        .allMatch(REASONS::containsKey);
    assertThat(NvmlReturn.of(0)).isEqualTo(NvmlReturn.SUCCESS);
    assertThat(IntStream.rangeClosed(0, 30)).allMatch(code -> NvmlReturn.of(code).code() == code);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void onlyAnAbsenceIsRemembered(int code) {
    NvmlGpu gpu = newHandle();
    node.set("gpu.0.return." + CALL, String.valueOf(code));
    Reading<Integer> first = gpu.powerUsage();
    node.set("gpu.0.return." + CALL, "0");
    boolean remembered = !(gpu.powerUsage() instanceof Reading.Present);
    assertThat(remembered).isEqualTo(first.failure().isEmpty());
    assertThat(newHandle().powerUsage()).isInstanceOf(Reading.Present.class);
  }

  @ParameterizedTest
  @MethodSource("codes")
  void onlyAnAbsentFieldIsRemembered(int code) {
    FieldKey field = NvmlField.MEMORY_TEMPERATURE.whole();
    NvmlGpu gpu = newHandle();
    node.set("gpu.0.fieldreturn.82", String.valueOf(code));
    Reading<Double> first = gpu.fields(List.of(field)).get(field);
    node.set("gpu.0.fieldreturn.82", "0");
    boolean remembered = !(gpu.fields(List.of(field)).get(field) instanceof Reading.Present);
    assertThat(remembered).isEqualTo(first.failure().isEmpty());
    assertThat(newHandle().fields(List.of(field)).get(field)).isInstanceOf(Reading.Present.class);
  }
}
