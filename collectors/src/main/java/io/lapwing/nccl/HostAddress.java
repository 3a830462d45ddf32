package io.lapwing.nccl;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * An address as RAS writes it: numeric, the one that NCCL's bootstrap uses. Nothing here may ask a
 * name server, whatever a reply says.
 */
final class HostAddress {

  private static final int LONGEST = 64;
  private static final Pattern V4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** With a colon at least, so that the JDK takes it for a literal or refuses it. */
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F:.]*");

  private HostAddress() {}

  /** In the form in which the JDK writes the same address without its scope. */
  static Optional<String> parse(String text) {
    if (text.length() > LONGEST) {
      return Optional.empty();
    }
    int scope = text.indexOf('%');
    String plain = scope < 0 ? text : text.substring(0, scope);
    if (V4.matcher(plain).matches()) {
      return Optional.of(plain);
    }
    return V6.matcher(plain).matches() ? literal(plain) : Optional.empty();
  }

  private static Optional<String> literal(String plain) {
    try {
      return Optional.of(text(InetAddress.getByName(plain)));
    } catch (UnknownHostException none) {
      return Optional.empty();
    }
  }

  /** What {@link #parse} gives for it. */
  static String text(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
