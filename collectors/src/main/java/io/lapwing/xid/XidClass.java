package io.lapwing.xid;

import java.util.Locale;

/** Where the cause of an XID lies as a rule. */
public enum XidClass {
  /** The GPU, its memory, its power or its board. */
  HARDWARE,
  /** The application that was hit. */
  APPLICATION,
  /** The driver or the firmware that it loads. */
  DRIVER,
  /** NVLink, PCIe or the link to the CPU. */
  LINK,
  /** Heat, and what guards against swings of the power. */
  THERMAL;

  /** As it stands in the table: {@code hardware}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
