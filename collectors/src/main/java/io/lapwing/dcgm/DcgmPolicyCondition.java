package io.lapwing.dcgm;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** {@code dcgmPolicyCondition_t}: the conditions of which a policy of DCGM notifies clients. */
public enum DcgmPolicyCondition {
  DBE(0x1),
  PCI(0x2),
  MAX_PAGES_RETIRED(0x4),
  THERMAL(0x8),
  POWER(0x10),
  NVLINK(0x20),
  XID(0x40);

  /** Every condition. */
  static final int ALL = 0x7f;

  private final int bit;

  DcgmPolicyCondition(int bit) {
    this.bit = bit;
  }

  public int bit() {
    return bit;
  }

  /** The condition of exactly this bit. */
  static Optional<DcgmPolicyCondition> ofBit(int bit) {
    return Arrays.stream(values()).filter(condition -> condition.bit == bit).findFirst();
  }

  /** The conditions of a mask; bits without a constant here are left out. */
  static Set<DcgmPolicyCondition> of(int mask) {
    EnumSet<DcgmPolicyCondition> found = EnumSet.noneOf(DcgmPolicyCondition.class);
    for (DcgmPolicyCondition condition : values()) {
      if ((mask & condition.bit) != 0) {
        found.add(condition);
      }
    }
    return Collections.unmodifiableSet(found);
  }
}
