package io.lapwing.nvml;

/** {@code NVML_FI_*}: what {@code nvmlDeviceGetFieldValues} reads, many at a time. */
@SuppressWarnings(
    "ImmutableEnumChecker") // FieldKey, a record of this enum and an int, is immutable
public enum NvmlField {
  ECC_CURRENT(1),
  ECC_PENDING(2),
  ECC_SBE_VOL_TOTAL(3),
  ECC_DBE_VOL_TOTAL(4),
  ECC_SBE_AGG_TOTAL(5),
  ECC_DBE_AGG_TOTAL(6),
  RETIRED_SBE(29),
  RETIRED_DBE(30),
  RETIRED_PENDING(31),
  NVLINK_CRC_FLIT_ERRORS(38),
  NVLINK_CRC_DATA_ERRORS(45),
  NVLINK_REPLAY_ERRORS(52),
  NVLINK_RECOVERY_ERRORS(59),
  /** Nanoseconds below the requested clocks, one field per reason. */
  VIOLATION_POWER(74),
  VIOLATION_THERMAL(75),
  VIOLATION_SYNC_BOOST(76),
  VIOLATION_BOARD_LIMIT(77),
  VIOLATION_LOW_UTILIZATION(78),
  VIOLATION_RELIABILITY(79),
  VIOLATION_APP_CLOCKS(80),
  VIOLATION_BASE_CLOCKS(81),
  MEMORY_TEMPERATURE(82),
  /** Millijoules since the driver was loaded. */
  TOTAL_ENERGY(83),
  NVLINK_SPEED_COMMON(90),
  NVLINK_LINK_COUNT(91),
  PCIE_REPLAY(94),
  PCIE_REPLAY_ROLLOVER(95),
  /** KiB of payload; scope is a link, or {@link FieldKey#ALL_LINKS}. */
  NVLINK_DATA_TX(138),
  NVLINK_DATA_RX(139),
  REMAPPED_CORRECTABLE(142),
  REMAPPED_UNCORRECTABLE(143),
  REMAPPED_PENDING(144),
  REMAPPED_FAILURE(145),
  NVSWITCH_CONNECTED_LINK_COUNT(147),
  NVLINK_ECC_DATA_ERRORS(160),
  NVLINK_DL_REPLAY(161),
  NVLINK_DL_RECOVERY(162),
  NVLINK_DL_CRC(163),
  /** MB/s; scope is a link. */
  NVLINK_SPEED(164),
  /** 1 active, 0 not; scope is a link. */
  NVLINK_STATE(165),
  /** Chip-to-chip links, to a Grace CPU. */
  C2C_LINK_COUNT(170),
  /** 1 active, 0 not; scope is a C2C link. */
  C2C_STATE(171),
  /** MB/s; scope is a C2C link. */
  C2C_SPEED(172),
  PCIE_CORRECTABLE_ERRORS(173),
  PCIE_NAKS_RECEIVED(174),
  PCIE_RECEIVER_ERRORS(175),
  PCIE_BAD_TLP(176),
  PCIE_NAKS_SENT(177),
  PCIE_BAD_DLLP(178),
  PCIE_NON_FATAL_ERRORS(179),
  PCIE_FATAL_ERRORS(180),
  PCIE_UNSUPPORTED_REQUESTS(181),
  PCIE_LCRC_ERRORS(182),
  PCIE_LANE_ERRORS(183),
  /** Milliwatts. */
  POWER_AVERAGE(185),
  POWER_INSTANT(186),
  POWER_MIN_LIMIT(187),
  POWER_MAX_LIMIT(188),
  POWER_DEFAULT_LIMIT(189),
  POWER_CURRENT_LIMIT(190),
  POWER_REQUESTED_LIMIT(192),
  /** Degrees C of the margin at which a limit is reached. */
  SHUTDOWN_MARGIN(193),
  SLOWDOWN_MARGIN(194),
  MEMORY_MAX_MARGIN(195),
  GPU_MAX_MARGIN(196),
  /** NVLink 5; scope is a link. */
  NVLINK5_TX_PACKETS(201),
  NVLINK5_TX_BYTES(202),
  NVLINK5_RX_PACKETS(203),
  NVLINK5_RX_BYTES(204),
  NVLINK5_MALFORMED_PACKETS(206),
  NVLINK5_BUFFER_OVERRUNS(207),
  NVLINK5_RX_ERRORS(208),
  NVLINK5_RX_REMOTE_ERRORS(209),
  NVLINK5_RX_GENERAL_ERRORS(210),
  NVLINK5_LINK_INTEGRITY_ERRORS(211),
  NVLINK5_TX_DISCARDS(212),
  NVLINK5_RECOVERY_SUCCESSFUL(213),
  NVLINK5_RECOVERY_FAILED(214),
  NVLINK5_RECOVERY_EVENTS(215),
  NVLINK5_EFFECTIVE_ERRORS(219),
  NVLINK5_EFFECTIVE_BER(220),
  NVLINK5_SYMBOL_ERRORS(221),
  NVLINK5_SYMBOL_BER(222),
  /**
   * {@code nvmlDeviceGpuRecoveryAction_t}: 0 none, 1 GPU reset, 2 reboot, 3 drain P2P, 4 drain and
   * reset, 5 recover the IMEX domain.
   */
  RECOVERY_ACTION(230),
  /** Scope is a C2C link. */
  C2C_CRC_ERRORS(231),
  C2C_REPLAYS(232),
  C2C_REPLAYS_B2B(233),
  /** Nanoseconds. */
  SW_THERMAL_SLOWDOWN(269),
  HW_THERMAL_SLOWDOWN(270),
  HW_POWER_BRAKE_SLOWDOWN(271);

  private final int id;
  private final FieldKey whole;

  NvmlField(int id) {
    this.id = id;
    this.whole = new FieldKey(this, 0);
  }

  public int id() {
    return id;
  }

  public FieldKey whole() {
    return whole;
  }

  public FieldKey link(int link) {
    return new FieldKey(this, link);
  }

  public FieldKey allLinks() {
    return new FieldKey(this, FieldKey.ALL_LINKS);
  }
}
