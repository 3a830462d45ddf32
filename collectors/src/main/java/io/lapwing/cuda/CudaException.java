package io.lapwing.cuda;

import java.util.Map;
import java.util.Set;

/** A call of the CUDA driver that failed: {@code cuMemAlloc_v2: out_of_memory (CUDA error 2)}. */
public final class CudaException extends Exception {

  private static final long serialVersionUID = 1L;

  /** Instead of a code: this version of the library lacks the function. */
  static final int NO_SYMBOL = -1;

  /** {@code CUresult} in {@code cuda.h}, those that indicate something about a node. */
  private static final Map<Integer, String> NAMES =
      Map.ofEntries(
          Map.entry(NO_SYMBOL, "function_not_found"),
          Map.entry(1, "invalid_value"),
          Map.entry(2, "out_of_memory"),
          Map.entry(3, "not_initialized"),
          Map.entry(46, "device_unavailable"),
          Map.entry(100, "no_device"),
          Map.entry(101, "invalid_device"),
          Map.entry(201, "invalid_context"),
          Map.entry(209, "no_binary_for_gpu"),
          Map.entry(214, "ecc_uncorrectable"),
          Map.entry(217, "peer_access_unsupported"),
          Map.entry(218, "invalid_ptx"),
          Map.entry(220, "nvlink_uncorrectable"),
          Map.entry(221, "jit_compiler_not_found"),
          Map.entry(222, "unsupported_ptx_version"),
          Map.entry(700, "illegal_address"),
          Map.entry(702, "launch_timeout"),
          Map.entry(714, "hardware_stack_error"),
          Map.entry(719, "launch_failed"),
          Map.entry(801, "not_supported"),
          Map.entry(802, "system_not_ready"),
          Map.entry(803, "system_driver_mismatch"),
          Map.entry(805, "mps_connection_failed"),
          Map.entry(806, "mps_rpc_failure"),
          Map.entry(807, "mps_server_not_ready"),
          Map.entry(808, "mps_max_clients_reached"),
          Map.entry(809, "mps_max_connections_reached"),
          Map.entry(999, "unknown"));

  /**
   * Errors that leave open whether the GPU is defective: no memory left, another process has it,
   * this driver cannot translate the kernel, its MPS server does not answer.
   */
  private static final Set<Integer> NOT_OF_THE_GPU =
      Set.of(NO_SYMBOL, 1, 2, 46, 209, 217, 218, 221, 222, 801, 803, 805, 806, 807, 808, 809);

  private final int code;

  CudaException(String call, int code) {
    super(call + ": " + NAMES.getOrDefault(code, "error") + " (CUDA error " + code + ")");
    this.code = code;
  }

  /** Whether the GPU itself may have caused it. */
  public boolean mayBeTheGpu() {
    return !NOT_OF_THE_GPU.contains(code);
  }
}
