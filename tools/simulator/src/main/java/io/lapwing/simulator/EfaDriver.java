package io.lapwing.simulator;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A version of the EFA driver, such as {@code 2.17.3g}, and its files in /sys. From its stat
 * tables; most changes came with 1.9, 2.5 and 2.17.
 */
record EfaDriver(String version) {
  static final String PRESET = "2.17.3g";

  private static final Pattern FORM = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})(\\.\\w+)*");

  EfaDriver {
    if (!FORM.matcher(version).matches()) {
      throw new IllegalArgumentException(
          "efa.driver = " + version + " is not a version such as 2.17.3g");
    }
  }

  boolean isAtLeast(int major, int minor) {
    Matcher form = FORM.matcher(version);
    if (!form.matches()) {
      return false;
    }
    int own = Integer.parseInt(form.group(1));
    return own > major || (own == major && Integer.parseInt(form.group(2)) >= minor);
  }

  boolean has(EfaCounter counter) {
    return isAtLeast(counter.sinceMajor(), counter.sinceMinor());
  }

  /** Earlier versions list the device's counters with the port's. */
  boolean splitsDeviceFromPort() {
    return isAtLeast(1, 14);
  }

  boolean knowsPeerToPeer() {
    return isAtLeast(2, 6);
  }

  boolean knowsNodeGuid() {
    return isAtLeast(2, 12);
  }

  boolean knowsLinkSpeed() {
    return isAtLeast(2, 13);
  }
}
