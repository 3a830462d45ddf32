package io.lapwing.xid;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The PCI address of a device without the function digit, which the driver's log and NVML write
 * differently: {@code 0000:53:00}.
 */
public record PciAddress(int domain, int bus, int device) {

  private static final Pattern FORM =
      Pattern.compile("(?:PCI:)?([0-9a-fA-F]{4,8}):([0-9a-fA-F]{2}):([0-9a-fA-F]{2})(?:\\.[0-7])?");

  /** As lspci shortens it: the domain is 0. */
  private static final Pattern WITHOUT_DOMAIN =
      Pattern.compile("([0-9a-fA-F]{2}):([0-9a-fA-F]{2})\\.[0-7]");

  /**
   * From {@code 0000:53:00}, {@code PCI:0000:53:00.0}, NVML's {@code 00000000:53:00.0} or {@code
   * 53:00.0}.
   */
  public static Optional<PciAddress> parse(CharSequence text) {
    Matcher form = FORM.matcher(text);
    if (form.matches()) {
      return Optional.of(
          new PciAddress(hex(form.group(1)), hex(form.group(2)), hex(form.group(3))));
    }
    Matcher shorter = WITHOUT_DOMAIN.matcher(text);
    return shorter.matches()
        ? Optional.of(new PciAddress(0, hex(shorter.group(1)), hex(shorter.group(2))))
        : Optional.empty();
  }

  private static int hex(String digits) {
    return Integer.parseUnsignedInt(digits, 16);
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%04x:%02x:%02x", domain, bus, device);
  }
}
