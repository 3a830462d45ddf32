package io.lapwing.dcgm;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** {@code dcgmHealthSystems_t}: a part whose health the engine watches. */
public enum DcgmHealthSystem {
  PCIE(0x1),
  NVLINK(0x2),
  PMU(0x4),
  MCU(0x8),
  MEM(0x10),
  SM(0x20),
  INFOROM(0x40),
  THERMAL(0x80),
  POWER(0x100),
  DRIVER(0x200),
  NVSWITCH_NONFATAL(0x400),
  NVSWITCH_FATAL(0x800),
  CONNECTX(0x1000),
  IMEX(0x2000),
  /** The whole GPU, such as one that fell off the bus; also a system without a constant here. */
  ALL(0xffffffff);

  private static final Set<DcgmHealthSystem> OF_GPUS =
      Collections.unmodifiableSet(
          EnumSet.complementOf(EnumSet.of(NVSWITCH_NONFATAL, NVSWITCH_FATAL, CONNECTX, IMEX)));

  private final int bit;

  DcgmHealthSystem(int bit) {
    this.bit = bit;
  }

  public int bit() {
    return bit;
  }

  static DcgmHealthSystem of(int bit) {
    return Arrays.stream(values()).filter(system -> system.bit == bit).findFirst().orElse(ALL);
  }

  /** Those of which each GPU has a result. */
  public static Set<DcgmHealthSystem> ofGpus() {
    return OF_GPUS;
  }
}
