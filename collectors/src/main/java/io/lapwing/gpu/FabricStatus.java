package io.lapwing.gpu;

/**
 * {@code DCGM_FI_DEV_FABRIC_MANAGER_STATUS}, as {@code dcgmFabricManagerStatus_t} has it. NVML's
 * {@code nvmlGpuFabricState_t} ends with {@link #COMPLETED} and has the error apart.
 */
public final class FabricStatus {

  public static final int NOT_SUPPORTED = 0;
  public static final int NOT_STARTED = 1;
  public static final int IN_PROGRESS = 2;
  public static final int COMPLETED = 3;

  /** Completed with an error. */
  public static final int FAILED = 4;

  public static final int UNRECOGNIZED = 5;

  private FabricStatus() {}
}
