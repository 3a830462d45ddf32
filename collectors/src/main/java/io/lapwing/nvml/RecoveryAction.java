package io.lapwing.nvml;

/**
 * {@code nvmlDeviceGpuRecoveryAction_t}, field 230: what the driver itself asks for. The ordinal is
 * the value.
 */
public enum RecoveryAction {
  NONE,
  GPU_RESET,
  NODE_REBOOT,
  DRAIN_P2P,
  DRAIN_AND_RESET,
  RECOVER_IMEX_DOMAIN
}
