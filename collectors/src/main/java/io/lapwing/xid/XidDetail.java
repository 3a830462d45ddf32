package io.lapwing.xid;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

public sealed interface XidDetail {

  XidDetail NONE = new None();

  record None() implements XidDetail {}

  /**
   * 94 and 95: {@code Uncontained: LTC TAG (0x2, 0x1). RST: Yes, D-RST: No}; whether the driver
   * requests a reset, or one after draining.
   */
  record Containment(
      boolean contained, String unit, Optional<Boolean> reset, Optional<Boolean> drainAndReset)
      implements XidDetail {}

  /**
   * 154: {@code GPU recovery action changed from 0x0 (None) to 0x1 (GPU Reset Required)}, as {@code
   * nvmlDeviceGpuRecoveryAction_t}.
   */
  record RecoveryChange(int from, int to, String text) implements XidDetail {}

  /** 13 with its location: {@code (GPC 1, TPC 3, SM 0)}. */
  record SmPlace(int gpc, int tpc, int sm) implements XidDetail {}

  /** 74: the seven registers of a link, and the evaluation that NVIDIA documents for Hopper. */
  record NvlinkRegisters(int link, List<Long> registers, RegisterJudgement judgement)
      implements XidDetail {
    public NvlinkRegisters {
      registers = List.copyOf(registers);
    }
  }

  /** The evaluation of the registers of an XID 74, worst first. */
  enum RegisterJudgement {
    /** A confirmed or suspected hardware fault. */
    HARDWARE,
    /** Bits that require a fabric reset. */
    RESET,
    /** ECC or parity: a hardware fault if it occurs more than twice on the same link. */
    HARDWARE_IF_REPEATED,
    /** Marginal signal integrity. */
    SIGNAL,
    /** Only consequences of a fault elsewhere, or bits that may be ignored. */
    SECONDARY,
    /** Only undocumented bits. */
    UNKNOWN
  }

  /**
   * 144 to 150: {@code NETIR_LINK_EVT Fatal XC0 i0 Link 09 (0x025525c6 0x00000000 ...)}.
   *
   * @param unit {@code NETIR_LINK_EVT}
   * @param link empty for {@code -1}
   * @param subcode of intrInfo: bits 9:5 before driver R575, bits 6:0 since; empty if it is unknown
   *     which driver logged it
   * @param stateReason bits 25:20 of intrInfo
   * @param resolution from NVIDIA's table, by unit, intrInfo and errorStatus. Where the driver
   *     version is unknown, of the layout that matches; if both do, the graver one
   * @param otherwise the other resolution of such a pair
   */
  record Nvlink5(
      String unit,
      boolean fatal,
      OptionalInt link,
      long intrInfo,
      long errorStatus,
      OptionalInt subcode,
      int stateReason,
      Nvlink5Resolution resolution,
      Optional<Nvlink5Resolution> otherwise)
      implements XidDetail {}

  /** 144 to 150 whose registers are missing or malformed: {@code SAW_MVB Fatal}. */
  record Nvlink5Unreadable(String unit, boolean fatal) implements XidDetail {}

  /** The actions of NVIDIA's table for the fifth NVLink generation, least grave first. */
  enum Nvlink5Resolution {
    /** No matching row. */
    UNKNOWN,
    IGNORE,
    /** The action of the XID 154 that follows; without one, restart the application. */
    XID_154_OR_RESTART_APP,
    /** Check cables and signal integrity; no immediate action. */
    CHECK_LINK,
    RESET_GPU
  }
}
