package io.lapwing.xid;

import io.lapwing.xid.XidDetail.RegisterJudgement;
import java.util.List;

/**
 * What the bits of XID 74's registers call for, from the workflow WORKFLOW_NVLINK_ERR of NVIDIA's
 * Xid-Catalog.xlsx. Only the first, third, fourth and fifth register count on Hopper; a bit that it
 * does not name counts for nothing.
 *
 * <p>Where it asks for a report or a diagnosis "if seen repeatedly" (bits 27, 29 of the first and
 * 16 to 19 of the third register), that is {@code HARDWARE_IF_REPEATED}; bit 13 of the third, which
 * is not to be seen in production at all, is {@code HARDWARE}. What may be ignored (bits 0, 23, 30
 * of the first) or goes on without harm (the ECC thresholds of the fifth: 20, 23, 26, 29) calls for
 * nothing by itself and is {@code SECONDARY}.
 */
final class HopperRegisters {

  /** Bits of one register, and what they call for. */
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
   * The worst that any register says.
   *
   * @param registers seven, the first first
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
