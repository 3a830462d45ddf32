package io.lapwing.efa;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The MAC address of the network interface in EC2, out of the device's first GID: a link-local
 * address whose lower half is the EUI-64 of the MAC address.
 */
final class EniMac {

  /** Eight groups, as the kernel writes a GID: nothing that would be looked up by name. */
  private static final Pattern GID = Pattern.compile("[0-9a-fA-F]{4}(:[0-9a-fA-F]{4}){7}");

  private static final int FIRST = 8;
  private static final int UNIVERSAL = 0x02;

  private EniMac() {}

  /** From {@code fe80:0000:0000:0000:0abc:deff:fe12:3456}; empty where it is not made so. */
  static Optional<String> ofGid(String gid) {
    if (!GID.matcher(gid).matches()) {
      return Optional.empty();
    }
    byte[] bytes = bytes(gid);
    boolean linkLocal = bytes[0] == (byte) 0xfe && bytes[1] == (byte) 0x80;
    boolean eui64 = bytes[FIRST + 3] == (byte) 0xff && bytes[FIRST + 4] == (byte) 0xfe;
    return linkLocal && eui64 ? Optional.of(mac(bytes)) : Optional.empty();
  }

  private static byte[] bytes(String gid) {
    try {
      return InetAddress.getByName(gid).getAddress();
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException(gid + " has the form of an address", impossible);
    }
  }

  private static String mac(byte[] gid) {
    return String.format(
        Locale.ROOT,
        "%02x:%02x:%02x:%02x:%02x:%02x",
        gid[FIRST] ^ UNIVERSAL,
        gid[FIRST + 1],
        gid[FIRST + 2],
        gid[FIRST + 5],
        gid[FIRST + 6],
        gid[FIRST + 7]);
  }
}
