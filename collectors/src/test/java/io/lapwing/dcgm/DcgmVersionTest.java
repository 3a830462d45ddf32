package io.lapwing.dcgm;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DcgmVersionTest {

  @Test
  void theVersionIsTheFirstPartOfTheBuildInfo() {
    assertThat(DcgmVersion.of("version:4.4.2;arch:x86_64;buildtype:Release"))
        .contains(new DcgmVersion(4, 4, 2));
    assertThat(DcgmVersion.of("arch:x86_64;version:3.3.9;x")).contains(new DcgmVersion(3, 3, 9));
    assertThat(DcgmVersion.of("4.4.2")).isEmpty();
    assertThat(DcgmVersion.of("version:99999999999.1.1")).isEmpty();
    assertThat(DcgmVersion.of("")).isEmpty();
  }

  /** Release notes of DCGM 4.7.1: both sides are 4.7.1 or later, or neither is. */
  @ParameterizedTest
  @CsvSource({
    "4.4.2, 4.6.1, true",
    "4.7.1, 4.7.1, true",
    "4.7.1, 4.8.0, true",
    "4.7.0, 4.7.1, false",
    "4.7.1, 4.6.9, false",
    "3.3.9, 3.1.8, true",
    "3.3.9, 4.4.2, false"
  })
  void aLibraryAndAnEngineFitTogether(String library, String engine, boolean fit) {
    assertThat(version(library).fits(version(engine))).isEqualTo(fit);
    assertThat(version(engine).fits(version(library))).isEqualTo(fit);
  }

  private static DcgmVersion version(String text) {
    return DcgmVersion.of("version:" + text).orElseThrow();
  }
}
