package io.lapwing.nvml;

/** {@code NVML_GPM_METRIC_*} of Hopper and newer, computed from two samples. */
public enum GpmMetric {
  GRAPHICS_ACTIVE(1, 0.01),
  SM_ACTIVE(2, 0.01),
  SM_OCCUPANCY(3, 0.01),
  INTEGER_ACTIVE(4, 0.01),
  TENSOR_ACTIVE(5, 0.01),
  DFMA_TENSOR_ACTIVE(6, 0.01),
  HMMA_TENSOR_ACTIVE(7, 0.01),
  IMMA_TENSOR_ACTIVE(9, 0.01),
  DRAM_ACTIVE(10, 0.01),
  FP64_ACTIVE(11, 0.01),
  FP32_ACTIVE(12, 0.01),
  FP16_ACTIVE(13, 0.01),
  PCIE_TX(20, GpmMetric.MIB),
  PCIE_RX(21, GpmMetric.MIB),
  NVDEC_0_ACTIVE(30, 0.01),
  NVJPG_0_ACTIVE(40, 0.01),
  NVOFA_0_ACTIVE(50, 0.01),
  /** In this order in the library, receive first. */
  NVLINK_RX(60, GpmMetric.MIB),
  NVLINK_TX(61, GpmMetric.MIB),
  /** With headers; unknown to libraries before CUDA 12.9. */
  C2C_TX(100, GpmMetric.MIB),
  C2C_RX(101, GpmMetric.MIB);

  private static final double MIB = 1024 * 1024;

  private final int id;
  private final double scale;

  GpmMetric(int id, double scale) {
    this.id = id;
    this.scale = scale;
  }

  public int id() {
    return id;
  }

  /** From the library's percent and MiB/s to ratios of 0 to 1 and bytes per second. */
  double scaled(double raw) {
    return raw * scale;
  }
}
