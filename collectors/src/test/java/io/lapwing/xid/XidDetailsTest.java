package io.lapwing.xid;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.xid.XidDetail.Containment;
import io.lapwing.xid.XidDetail.NvlinkRegisters;
import io.lapwing.xid.XidDetail.RecoveryChange;
import io.lapwing.xid.XidDetail.RegisterJudgement;
import io.lapwing.xid.XidDetail.SmPlace;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class XidDetailsTest {

  private static XidDetail detail(int number, String message) {
    return XidDetails.of(number, message, Optional::empty);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Contained: CE User Channel (0x9). RST: No, D-RST: No                        | true  | CE User Channel | false | false
          Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No                        | false | LTC TAG         | true  | false
          Contained: FB DED (0x2, 0x1). physAddr: 0x00001000 RST: No, D-RST: Yes      | true  | FB DED          | false | true
          Uncontained: SYSLTC Data Fatal (0, 1, 2). RST: Yes, D-RST: Yes              | false | SYSLTC Data Fatal | true | true
          Uncontained: FBHUB. RST: Yes, D-RST: No                                     | false | FBHUB           | true  | false
          """)
  void aMemoryErrorHasContainmentAndRequestedReset(
      String message, boolean contained, String unit, boolean reset, boolean drain) {
    assertThat(detail(contained ? 94 : 95, message))
        .isEqualTo(new Containment(contained, unit, Optional.of(reset), Optional.of(drain)));
  }

  @Test
  void aMemoryErrorMayLackTheResetFlags() {
    assertThat(detail(95, "Uncontained: MMU"))
        .isEqualTo(new Containment(false, "MMU", Optional.empty(), Optional.empty()));
    assertThat(detail(94, "Contained: SM. D-RST: Yes"))
        .isEqualTo(new Containment(true, "SM", Optional.empty(), Optional.of(true)));
    assertThat(detail(94, "Contained ECC error")).isEqualTo(XidDetail.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "0, None",
    "1, GPU Reset Required",
    "2, Node Reboot Required",
    "3, Drain P2P",
    "4, Drain and Reset",
    "5, Recover IMEX Domain"
  })
  void aRecoveryActionIsReadWithItsWords(int action, String words) {
    assertThat(
            detail(
                154,
                "GPU recovery action changed from 0x4 (Drain and Reset) to 0x%x (%s)"
                    .formatted(action, words)))
        .isEqualTo(new RecoveryChange(4, action, words));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GPU recovery action changed from 0x0 (None) to 0x (None)",
        "GPU recovery action changed from 0x0 (None) to 0x100000000 (None)",
        "GPU recovery action changed from 0x0 (None",
        "x, GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)"
      })
  void otherTextIsNotARecoveryAction(String message) {
    assertThat(detail(154, message)).isEqualTo(XidDetail.NONE);
  }

  @Test
  void anSmIsNamedByItsThreeNumbers() {
    assertThat(detail(13, "Graphics SM Global Exception on (GPC 10, TPC 4, SM 1): Multiple"))
        .isEqualTo(new SmPlace(10, 4, 1));
    assertThat(detail(13, "Graphics Exception: ESR 0x546fb0=0x11f000e")).isEqualTo(XidDetail.NONE);
    assertThat(detail(31, "on (GPC 10, TPC 4, SM 1)")).isEqualTo(XidDetail.NONE);
  }

  /** A fatal error on link 3 with one register set, by its number from 1. */
  private static RegisterJudgement judgement(int register, long value) {
    StringBuilder registers = new StringBuilder();
    for (int i = 1; i <= 7; i++) {
      registers.append(i == 1 ? "0x" : ", 0x").append(Long.toHexString(i == register ? value : 0));
    }
    NvlinkRegisters detail =
        (NvlinkRegisters) detail(74, "NVLink: fatal error detected on link 3(" + registers + ")");
    assertThat(detail.link()).isEqualTo(3);
    assertThat(detail.registers()).hasSize(7).element(register - 1).isEqualTo(value);
    return detail.judgement();
  }

  @ParameterizedTest
  @CsvSource({
    "1, HARDWARE,             8 9 12 16 17 24 28",
    "1, HARDWARE_IF_REPEATED, 4 5 27 29",
    "1, SIGNAL,               21 22",
    "1, SECONDARY,            0 1 20 23 30",
    "1, UNKNOWN,              2 3 6 7 10 11 13 14 15 18 19 25 26 31",
    "2, UNKNOWN,              0 4 8 16 18 28",
    "3, HARDWARE,             13",
    "3, HARDWARE_IF_REPEATED, 0 1 2 6 16 17 18 19",
    "3, UNKNOWN,              3 12 14 20 31",
    "4, RESET,                18",
    "4, SECONDARY,            16 17",
    "4, UNKNOWN,              0 15 19",
    "5, HARDWARE_IF_REPEATED, 18 19 21 22 24 25 27 28",
    "5, SECONDARY,            20 23 26 29",
    "5, UNKNOWN,              0 17 30",
    "6, UNKNOWN,              0 4 8 16 18 28",
    "7, UNKNOWN,              0 4 8 16 18 28"
  })
  void eachBitOfALinksRegistersHasItsMeaning(
      int register, RegisterJudgement judgement, String bits) {
    assertThat(bits.split(" ", -1))
        .allSatisfy(
            bit ->
                assertThat(judgement(register, 1L << Integer.parseInt(bit))).isEqualTo(judgement));
  }

  @Test
  void theWorstBitOfALinksRegistersDecides() {
    assertThat(
            XidDetails.HopperRegisters.evaluate(
                List.of(1L << 8 | 1L << 21, 0L, 1L, 1L << 18, 0L, 0L, 0L)))
        .isEqualTo(RegisterJudgement.HARDWARE);
    assertThat(XidDetails.HopperRegisters.evaluate(List.of(1L << 21, 0L, 1L, 1L << 18, 0L, 0L, 0L)))
        .isEqualTo(RegisterJudgement.RESET);
    assertThat(XidDetails.HopperRegisters.evaluate(List.of(1L << 21, 0L, 1L, 1L << 17, 0L, 0L, 0L)))
        .isEqualTo(RegisterJudgement.HARDWARE_IF_REPEATED);
    assertThat(XidDetails.HopperRegisters.evaluate(List.of(1L << 21 | 1, 0L, 0L, 0L, 0L, 0L, 0L)))
        .isEqualTo(RegisterJudgement.SIGNAL);
    assertThat(XidDetails.HopperRegisters.evaluate(List.of(0L, 0L, 0L, 0L, 0L, 0L, 0L)))
        .isEqualTo(RegisterJudgement.UNKNOWN);
  }

  @Test
  void aLinkWithoutSevenRegistersHasNoDetail() {
    assertThat(detail(74, "NVLink: failed to train link 3 to remote PCI:0000:18:00"))
        .isEqualTo(XidDetail.NONE);
    assertThat(detail(74, "NVLink: fatal error detected on link 3(0x0, 0x0, 0x0)"))
        .isEqualTo(XidDetail.NONE);
    assertThat(
            detail(
                74,
                "NVLink: fatal error detected on link 3(0x123456789, 0x0, 0x0, 0x0, 0x0,"
                    + " 0x0, 0x0)"))
        .isEqualTo(XidDetail.NONE);
  }
}
