package io.lapwing.nvml;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** {@code nvmlReturn_t}: the return code of every NVML call. */
public enum NvmlReturn {
  SUCCESS(0),
  UNINITIALIZED(1),
  INVALID_ARGUMENT(2),
  NOT_SUPPORTED(3),
  NO_PERMISSION(4),
  ALREADY_INITIALIZED(5),
  NOT_FOUND(6),
  INSUFFICIENT_SIZE(7),
  INSUFFICIENT_POWER(8),
  DRIVER_NOT_LOADED(9),
  TIMEOUT(10),
  IRQ_ISSUE(11),
  LIBRARY_NOT_FOUND(12),
  FUNCTION_NOT_FOUND(13),
  CORRUPTED_INFOROM(14),
  GPU_IS_LOST(15),
  RESET_REQUIRED(16),
  OPERATING_SYSTEM(17),
  LIB_RM_VERSION_MISMATCH(18),
  IN_USE(19),
  MEMORY(20),
  NO_DATA(21),
  VGPU_ECC_NOT_SUPPORTED(22),
  INSUFFICIENT_RESOURCES(23),
  FREQ_NOT_SUPPORTED(24),
  ARGUMENT_VERSION_MISMATCH(25),
  DEPRECATED(26),
  NOT_READY(27),
  GPU_NOT_FOUND(28),
  INVALID_STATE(29),
  RESET_TYPE_NOT_SUPPORTED(30),
  /** 999, and any code without a constant here. */
  UNKNOWN(999);

  /** The reason of a number with all bits set: the GPU did not deliver it. */
  static final String INVALID_VALUE = "invalid_value";

  private static final Map<Integer, NvmlReturn> BY_CODE =
      Arrays.stream(values()).collect(Collectors.toMap(NvmlReturn::code, Function.identity()));

  private final int code;
  private final String reason;

  NvmlReturn(int code) {
    this.code = code;
    this.reason = name().toLowerCase(Locale.ROOT);
  }

  public static NvmlReturn of(int code) {
    return BY_CODE.getOrDefault(code, UNKNOWN);
  }

  public int code() {
    return code;
  }

  /** The label value: {@code gpu_is_lost}. */
  public String reason() {
    return reason;
  }

  /** Unsupported by the device or this driver; permanent. */
  boolean meansUnsupported() {
    return this == NOT_SUPPORTED
        || this == ARGUMENT_VERSION_MISMATCH
        || this == DEPRECATED
        || this == VGPU_ECC_NOT_SUPPORTED;
  }
}
