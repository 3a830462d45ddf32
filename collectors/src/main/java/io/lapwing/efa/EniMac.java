package io.lapwing.efa;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The MAC address of the EC2 network interface, from the device's first GID: a link-local address
 * whose lower half is the EUI-64 of the MAC address.
 */
final class EniMac {

  /** The kernel's format of a GID: eight groups. */
  private static final Pattern GID = Pattern.compile("[0-9a-fA-F]{4}(:[0-9a-fA-F]{4}){7}");

  private static final String LINK_LOCAL = "fe80";
  private static final int UNIVERSAL = 0x02;

  private EniMac() {}

  /** From {@code fe80:0000:0000:0000:0abc:deff:fe12:3456}; empty for other GIDs. */
  static Optional<String> ofGid(String gid) {
    if (!GID.matcher(gid).matches()) {
      return Optional.empty();
    }
    String digits = gid.replace(":", "").toLowerCase(Locale.ROOT);
    String eui = digits.substring(digits.length() / 2);
    return digits.startsWith(LINK_LOCAL) && eui.startsWith("fffe", 6)
        ? Optional.of(mac(eui.substring(0, 6) + eui.substring(10)))
        : Optional.empty();
  }

  /** From twelve digits; EUI-64 inverts the second bit of the first byte. */
  private static String mac(String digits) {
    List<String> bytes = new ArrayList<>();
    for (int at = 0; at < digits.length(); at += 2) {
      int one = Integer.parseInt(digits, at, at + 2, 16);
      bytes.add(String.format(Locale.ROOT, "%02x", at == 0 ? one ^ UNIVERSAL : one));
    }
    return String.join(":", bytes);
  }
}
