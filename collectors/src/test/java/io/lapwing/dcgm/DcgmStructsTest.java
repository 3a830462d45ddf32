package io.lapwing.dcgm;

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

class DcgmStructsTest {

  private final Map<String, Long> compiler = NvmlLayout.load().facts();

  @TestFactory
  Stream<DynamicTest> everyConstantIsWhatTheCompilerSays() {
    return Arrays.stream(DcgmStructs.class.getDeclaredClasses())
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
    assertThat(everyConstantIsWhatTheCompilerSays().count()).isGreaterThan(20);
  }

  @Test
  void aVersionWordIsTheSizeBelowTheVersion() {
    assertThat(compiler)
        .containsEntry("dcgmFieldValue_v2 version", word(DcgmStructs.FieldValueV2.SIZE, 2))
        .containsEntry(
            "dcgmConnectV2Params_v2 version", word(DcgmStructs.ConnectV2ParamsV2.SIZE, 2))
        .containsEntry(
            "dcgmConnectV3Params_v1 version", word(DcgmStructs.ConnectV3ParamsV1.SIZE, 1))
        .containsEntry(
            "dcgmStartEmbeddedV2Params_v3 version",
            word(DcgmStructs.StartEmbeddedV2ParamsV3.SIZE, 3))
        .containsEntry(
            "dcgmDeviceAttributes_v3 version", word(DcgmStructs.DeviceAttributesV3.SIZE, 3))
        .containsEntry("dcgmVersionInfo_v2 version", word(DcgmStructs.VersionInfoV2.SIZE, 2))
        .containsEntry("dcgmMigHierarchy_v2 version", word(DcgmStructs.MigHierarchyV2.SIZE, 2))
        .containsEntry("dcgmNvLinkStatus_v3 version", word(DcgmStructs.NvLinkStatusV3.SIZE, 3))
        .containsEntry("dcgmNvLinkStatus_v4 version", word(DcgmStructs.NvLinkStatusV4.SIZE, 4))
        .containsEntry("dcgmNvLinkStatus_v5 version", word(DcgmStructs.NvLinkStatusV5.SIZE, 5))
        .containsEntry(
            "dcgmHealthSetParams_v2 version", word(DcgmStructs.HealthSetParamsV2.SIZE, 2))
        .containsEntry("dcgmPolicy_v1 version", word(DcgmStructs.PolicyV1.SIZE, 1))
        .containsEntry("dcgmHealthResponse_v4 version", word(DcgmStructs.HealthResponseV4.SIZE, 4))
        .containsEntry("dcgmHealthResponse_v5 version", word(DcgmStructs.HealthResponseV5.SIZE, 5))
        .containsEntry(
            "dcgmModuleGetStatuses_v1 version", word(DcgmStructs.ModuleGetStatusesV1.SIZE, 1));
  }

  private static long word(int size, int version) {
    return DcgmStructs.versionWord(size, version);
  }

  /** {@code FieldValueV2} stands for {@code dcgmFieldValue_v2}. */
  private String fact(Field constant) {
    String stem =
        "dcgm" + constant.getDeclaringClass().getSimpleName().replaceFirst("V(\\d)$", "_v$1");
    String struct = compiler.containsKey(stem + " size") ? stem : stem + "_t";
    return constant.getName().equals("SIZE")
        ? struct + " size"
        : struct + "." + camelCase(constant.getName());
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
