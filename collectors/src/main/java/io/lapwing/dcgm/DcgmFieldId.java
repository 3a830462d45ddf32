package io.lapwing.dcgm;

/**
 * {@code DCGM_FI_*}, by the names before DCGM 4.6. The ids are the same in all versions. Where not
 * all fields fit into one pass of the hardware's counters, earlier ones are kept.
 */
public enum DcgmFieldId {
  /** Ratios of 0 to 1, averages over the period of the watch. */
  PROF_SM_ACTIVE(1002),
  PROF_PIPE_TENSOR_ACTIVE(1004),
  PROF_DRAM_ACTIVE(1005),
  PROF_GR_ENGINE_ACTIVE(1001),
  PROF_SM_OCCUPANCY(1003),
  /** Bytes per second. */
  PROF_PCIE_TX_BYTES(1009),
  PROF_PCIE_RX_BYTES(1010),
  PROF_NVLINK_TX_BYTES(1011),
  PROF_NVLINK_RX_BYTES(1012),
  PROF_PIPE_FP64_ACTIVE(1006),
  PROF_PIPE_FP32_ACTIVE(1007),
  PROF_PIPE_FP16_ACTIVE(1008),
  PROF_PIPE_TENSOR_IMMA_ACTIVE(1013),
  PROF_PIPE_TENSOR_HMMA_ACTIVE(1014),
  PROF_PIPE_TENSOR_DFMA_ACTIVE(1015),
  PROF_PIPE_INT_ACTIVE(1016),
  /** Of an NVSwitch: watts, degrees C, and 1 if it has to be reset. */
  DEV_NVSWITCH_POWER_VDD(705),
  DEV_NVSWITCH_TEMPERATURE_CURRENT(858),
  DEV_NVSWITCH_RESET_REQUIRED(864),
  /** Of a link of an NVSwitch: Mibit, the last SXid of a kind, errors, and -1 to 4. */
  DEV_NVSWITCH_LINK_THROUGHPUT_TX(780),
  DEV_NVSWITCH_LINK_THROUGHPUT_RX(781),
  DEV_NVSWITCH_LINK_FATAL_ERRORS(782),
  DEV_NVSWITCH_LINK_NON_FATAL_ERRORS(783),
  DEV_NVSWITCH_LINK_REPLAY_ERRORS(784),
  DEV_NVSWITCH_LINK_RECOVERY_ERRORS(785),
  DEV_NVSWITCH_LINK_CRC_ERRORS(787),
  DEV_NVSWITCH_LINK_ECC_ERRORS(788),
  DEV_NVSWITCH_LINK_STATUS(870),
  /** The last SXid of an NVSwitch. */
  DEV_NVSWITCH_FATAL_ERRORS(856),
  DEV_NVSWITCH_NON_FATAL_ERRORS(857),
  /** Of a CPU: a ratio of 0 to 1, degrees C, and watts. */
  DEV_CPU_UTIL_TOTAL(1100),
  DEV_CPU_TEMP_CURRENT(1110),
  DEV_CPU_POWER_UTIL_CURRENT(1130),
  DEV_CPU_POWER_LIMIT(1131),
  DEV_SYSIO_POWER_UTIL_CURRENT(1132),
  DEV_MODULE_POWER_UTIL_CURRENT(1133),
  /** Of the node, but watched and read at a GPU: no group takes the node. Text: {@code UP}. */
  IMEX_DOMAIN_STATUS(1502),
  /** 0 to 7, or -1 to -3. */
  IMEX_DAEMON_STATUS(1503);

  private static final String PREFIX = "DCGM_FI_";

  private final short id;

  DcgmFieldId(int id) {
    this.id = (short) id;
  }

  public short id() {
    return id;
  }

  /** {@code DCGM_FI_PROF_SM_ACTIVE}, which is also the name of the family. */
  public String title() {
    return PREFIX + name();
  }

  /** For messages. */
  public String question() {
    return "DCGM field " + id;
  }
}
