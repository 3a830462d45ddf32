package io.lapwing.xid;

import io.lapwing.xid.XidDetail.RegisterJudgement;
import java.util.List;

/**
 * Evaluates the bits of XID 74's registers, from the workflow WORKFLOW_NVLINK_ERR of NVIDIA's
 * Xid-Catalog.xlsx. Only registers 1, 3, 4 and 5 count on Hopper; undocumented bits are ignored.
 *
 * <p>Bits for which it requests a report or a diagnosis "if seen repeatedly" (27 and 29 of register
 * 1, 16 to 19 of register 3) are {@code HARDWARE_IF_REPEATED}. Bit 13 of register 3, which must not
 * occur in production, is {@code HARDWARE}. Bits that may be ignored (0, 23, 30 of register 1) or
 * are harmless (the ECC thresholds 20, 23, 26, 29 of register 5) are {@code SECONDARY}.
 */
final class HopperRegisters {

  /** Bits of one register and their meaning. */
  private record Bits(int register, long mask, RegisterJudgement judgement) {

    private boolean set(List<Long> registers) {
      return (registers.get(register - 1) & mask) != 0;
    }
  }

  /** Worst first. */
  private static final List<Bits> TABLE =
      List.of(
          bits(RegisterJudgement.HARDWARE, 1, 8, 9, 12, 16, 17, 24, 28),
          bits(RegisterJudgement.HARDWARE, 3, 13),
          bits(RegisterJudgement.RESET, 4, 18),
          bits(RegisterJudgement.HARDWARE_IF_REPEATED, 1, 4, 5, 27, 29),
          bits(RegisterJudgement.HARDWARE_IF_REPEATED, 3, 0, 1, 2, 6, 16, 17, 18, 19),
          bits(RegisterJudgement.HARDWARE_IF_REPEATED, 5, 18, 19, 21, 22, 24, 25, 27, 28),
          bits(RegisterJudgement.SIGNAL, 1, 21, 22),
          bits(RegisterJudgement.SECONDARY, 1, 0, 1, 20, 23, 30),
          bits(RegisterJudgement.SECONDARY, 4, 16, 17),
          bits(RegisterJudgement.SECONDARY, 5, 20, 23, 26, 29));

  private HopperRegisters() {}

  /**
   * The worst meaning of any set bit.
   *
   * @param registers registers 1 to 7
   */
  static RegisterJudgement evaluate(List<Long> registers) {
    return TABLE.stream()
        .filter(bits -> bits.set(registers))
        .findFirst()
        .map(Bits::judgement)
        .orElse(RegisterJudgement.UNKNOWN);
  }

  private static Bits bits(RegisterJudgement judgement, int register, int... bits) {
    long mask = 0;
    for (int bit : bits) {
      mask |= 1L << bit;
    }
    return new Bits(register, mask, judgement);
  }
}
