package io.lapwing.dcgm;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code dcgmReturn_t}: the return code of every DCGM call. */
public enum DcgmReturn {
  OK(0),
  BADPARAM(-1),
  GENERIC_ERROR(-3),
  MEMORY(-4),
  NOT_CONFIGURED(-5),
  NOT_SUPPORTED(-6),
  INIT_ERROR(-7),
  NVML_ERROR(-8),
  PENDING(-9),
  UNINITIALIZED(-10),
  TIMEOUT(-11),
  VERSION_MISMATCH(-12),
  UNKNOWN_FIELD(-13),
  NO_DATA(-14),
  STALE_DATA(-15),
  NOT_WATCHED(-16),
  NO_PERMISSION(-17),
  GPU_IS_LOST(-18),
  RESET_REQUIRED(-19),
  FUNCTION_NOT_FOUND(-20),
  CONNECTION_NOT_VALID(-21),
  GPU_NOT_SUPPORTED(-22),
  GROUP_INCOMPATIBLE(-23),
  MAX_LIMIT(-24),
  LIBRARY_NOT_FOUND(-25),
  DUPLICATE_KEY(-26),
  REQUIRES_ROOT(-29),
  INSUFFICIENT_SIZE(-31),
  FIELD_UNSUPPORTED_BY_API(-32),
  MODULE_NOT_LOADED(-33),
  IN_USE(-34),
  GROUP_IS_EMPTY(-35),
  PROFILING_NOT_SUPPORTED(-36),
  PROFILING_LIBRARY_ERROR(-37),
  PROFILING_MULTI_PASS(-38),
  INSUFFICIENT_DRIVER_VERSION(-44),
  INSTANCE_NOT_FOUND(-45),
  INSUFFICIENT_RESOURCES(-49),
  PAUSED(-54),
  NVML_NOT_LOADED(-56),
  NVML_DRIVER_TIMEOUT(-57),
  GPUS_DETACHED(-67),
  /** Any code without a constant here. */
  UNKNOWN(Integer.MIN_VALUE);

  private static final Map<Integer, DcgmReturn> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(DcgmReturn::code, Function.identity()));

  private final int code;
  private final String reason;

  DcgmReturn(int code) {
    this.code = code;
    this.reason = name().toLowerCase(Locale.ROOT);
  }

  static DcgmReturn of(int code) {
    return BY_CODE.getOrDefault(code, UNKNOWN);
  }

  public int code() {
    return code;
  }

  /** The label value: {@code connection_not_valid}. */
  public String reason() {
    return reason;
  }

  /** Whether another field of the same watch may be accepted. */
  boolean isOfOneField() {
    return switch (this) {
      case BADPARAM,
          GENERIC_ERROR,
          NOT_SUPPORTED,
          UNKNOWN_FIELD,
          FIELD_UNSUPPORTED_BY_API,
          NO_PERMISSION,
          PROFILING_NOT_SUPPORTED,
          PROFILING_MULTI_PASS,
          INSUFFICIENT_DRIVER_VERSION,
          UNKNOWN ->
          true;
      default -> false;
    };
  }
}
