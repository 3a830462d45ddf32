package io.lapwing.nvml;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.simulator.NvmlLayout;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class NvmlStructsTest {

  private final Map<String, Long> compiler = NvmlLayout.load().facts();

  @TestFactory
  Stream<DynamicTest> everyConstantIsWhatTheCompilerSays() {
    return Arrays.stream(NvmlStructs.class.getDeclaredClasses())
        .flatMap(struct -> Arrays.stream(struct.getDeclaredFields()))
        .filter(field -> !field.isSynthetic())
        .map(field -> DynamicTest.dynamicTest(fact(field), () -> check(field)));
  }

  private void check(Field constant) throws IllegalAccessException {
    constant.setAccessible(true);
    assertThat(compiler).containsEntry(fact(constant), (long) constant.getInt(null));
  }

  @Test
  void theHeaderHasConstantsToCheck() {
    assertThat(everyConstantIsWhatTheCompilerSays().count()).isGreaterThan(70);
  }

  @Test
  void aVersionWordIsTheSizeBelowTheVersion() {
    assertThat(compiler)
        .containsEntry("nvmlMemory_v2_t version", word(NvmlStructs.MemoryV2.SIZE, 2))
        .containsEntry("nvmlTemperature_v1_t version", word(NvmlStructs.Temperature.SIZE, 1))
        .containsEntry(
            "nvmlMarginTemperature_v1_t version", word(NvmlStructs.MarginTemperature.SIZE, 1))
        .containsEntry(
            "nvmlEccSramErrorStatus_v1_t version", word(NvmlStructs.EccSramErrorStatus.SIZE, 1))
        .containsEntry("nvmlGpuFabricInfo_v2_t version", word(NvmlStructs.GpuFabricInfoV2.SIZE, 2))
        .containsEntry("nvmlGpuFabricInfo_v3_t version", word(NvmlStructs.GpuFabricInfoV3.SIZE, 3));
  }

  private static long word(int size, int version) {
    return NvmlStructs.versionWord(size, version);
  }

  /** The name under which the layout has it. */
  private String fact(Field constant) {
    String struct = struct(constant.getDeclaringClass().getSimpleName());
    return constant.getName().endsWith("SIZE")
        ? struct + " size"
        : struct + "." + camelCase(constant.getName());
  }

  /** {@code MemoryV2} stands for {@code nvmlMemory_v2_t}. */
  private String struct(String javaName) {
    String stem = "nvml" + javaName.replaceFirst("V(\\d)$", "_v$1").replaceFirst("^Bar1", "BAR1");
    return Stream.of(stem + "_t", stem + "_v1_t")
        .filter(name -> compiler.containsKey(name + " size"))
        .findFirst()
        .orElse(stem);
  }

  private static String camelCase(String constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
      name.append(
          name.length() == 0
              ? word
              : word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1));
    }
    return name.toString();
  }
}
