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

  /** From {@code 0000:53:00}, {@code PCI:0000:53:00.0} or NVML's {@code 00000000:53:00.0}. */
  public static Optional<PciAddress> parse(CharSequence text) {
    Matcher form = FORM.matcher(text);
    return form.matches()
        ? Optional.of(new PciAddress(hex(form.group(1)), hex(form.group(2)), hex(form.group(3))))
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
