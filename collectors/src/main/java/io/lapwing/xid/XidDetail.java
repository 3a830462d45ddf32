package io.lapwing.xid;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** What the message of an XID says beyond its number. */
public sealed interface XidDetail {

  XidDetail NONE = new None();

  /** Nothing that is understood. */
  record None() implements XidDetail {}

  /**
   * 94 and 95: {@code Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No}.
   *
   * @param unit {@code LTC TAG}
   * @param reset whether the driver asks for a reset; empty where it does not say
   * @param drainAndReset whether it asks for one once the work has left
   */
  record Containment(
      boolean contained, String unit, Optional<Boolean> reset, Optional<Boolean> drainAndReset)
      implements XidDetail {}

  /**
   * 154: {@code GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)}.
   *
   * @param from values of {@code nvmlDeviceGpuRecoveryAction_t}
   */
  record RecoveryChange(int from, int to, String text) implements XidDetail {}

  /** 13 with its place: {@code (GPC 1, TPC 3, SM 0)}. */
  record SmPlace(int gpc, int tpc, int sm) implements XidDetail {}

  /**
   * 74: the seven registers of a link.
   *
   * @param judgement what the registers that NVIDIA documents for Hopper say together
   */
  record NvlinkRegisters(int link, List<Long> registers, RegisterJudgement judgement)
      implements XidDetail {
    public NvlinkRegisters {
      registers = List.copyOf(registers);
    }
  }

  /** What the registers of an XID 74 call for, worst first. */
  enum RegisterJudgement {
    /** A bit whose meaning is a hardware fault or its suspicion. */
    HARDWARE,
    /** Bits that call for a fabric reset. */
    RESET,
    /** ECC or parity: hardware if it comes more than twice on the same link. */
    HARDWARE_IF_REPEATED,
    /** Marginal signal integrity. */
    SIGNAL,
    /** Only bits that follow from a fault elsewhere, or that may be ignored. */
    SECONDARY,
    /** No bit that NVIDIA documents. */
    UNKNOWN
  }

  /**
   * 144 to 150: {@code NETIR_LINK_EVT Fatal XC0 i0 Link 09 (0x025525c6 0x00000000 ...)}.
   *
   * @param unit {@code NETIR_LINK_EVT}
   * @param link empty where the line says {@code -1}
   * @param subcode of intrInfo: bits 9:5 before driver R575, bits 6:0 since; empty while the
   *     driver's version is not known
   * @param stateReason bits 25:20 of intrInfo
   * @param resolution what NVIDIA's table says of unit, intrInfo and errorStatus
   */
  record Nvlink5(
      String unit,
      boolean fatal,
      OptionalInt link,
      long intrInfo,
      long errorStatus,
      OptionalInt subcode,
      int stateReason,
      Nvlink5Resolution resolution)
      implements XidDetail {}

  /** The actions of NVIDIA's table for the fifth NVLink generation. */
  enum Nvlink5Resolution {
    IGNORE,
    /** What XID 154 says; without one, the application is to be started again. */
    XID_154_OR_RESTART_APP,
    RESET_GPU,
    /** Look at cables and signal integrity; nothing to do now. */
    CHECK_LINK,
    /** No row of the table fits, or the driver's version is not known. */
    UNKNOWN
  }
}
