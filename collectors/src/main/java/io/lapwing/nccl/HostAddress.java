package io.lapwing.nccl;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Numeric addresses in RAS replies, those of NCCL's bootstrap network. Must never cause a DNS
 * query, whatever a reply contains.
 */
final class HostAddress {

  private static final int LONGEST = 64;
  private static final Pattern V4 =
      Pattern.compile("(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})\\.(\\d{1,3})");

  /** Requires a colon, so that the JDK parses it as a literal or rejects it. */
  private static final Pattern V6 = Pattern.compile("[0-9a-fA-F:][0-9a-fA-F.]*:[0-9a-fA-F:.]*");

  private HostAddress() {}

  /** The address as the JDK formats it, without the scope. */
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

  /** The same format as {@link #parse}. */
  static String text(InetAddress address) {
    String text = address.getHostAddress();
    int scope = text.indexOf('%');
    return scope < 0 ? text : text.substring(0, scope);
  }
}
