package io.lapwing.common.config;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * {@code :9754}, {@code 127.0.0.1:0} (a free port), {@code [::1]:9754} or {@code host:9754}. The
 * host has no brackets and is empty for all addresses.
 *
 * @param socket a Unix socket, {@code unix:/run/x.sock}, instead of the host and port
 */
public record ListenAddress(String host, int port, Optional<Path> socket) {
  private static final int MAX_PORT = 65_535;
  private static final String UNIX = "unix:";

  public ListenAddress(String host, int port) {
    this(host, port, Optional.empty());
  }

  public static ListenAddress of(Path socket) {
    return new ListenAddress("", 0, Optional.of(socket));
  }

  /** The address of a bound socket. */
  public static ListenAddress of(InetSocketAddress bound) {
    return bound.getAddress().isAnyLocalAddress()
        ? new ListenAddress("", bound.getPort())
        : new ListenAddress(bound.getAddress().getHostAddress(), bound.getPort());
  }

  public static Optional<ListenAddress> parse(String text) {
    if (text.startsWith(UNIX)) {
      return socket(text.substring(UNIX.length()));
    }
    int colon = text.lastIndexOf(':');
    if (colon < 0) {
      return Optional.empty();
    }
    Optional<String> host = host(text.substring(0, colon));
    OptionalInt port = port(text.substring(colon + 1));
    return port.isEmpty()
        ? Optional.empty()
        : host.map(name -> new ListenAddress(name, port.getAsInt()));
  }

  /** A relative path would depend on the directory in which the agent was started. */
  private static Optional<ListenAddress> socket(String path) {
    boolean plain = path.startsWith("/") && !path.endsWith("/") && path.indexOf('\0') < 0;
    return plain ? Optional.of(of(Path.of(path))) : Optional.empty();
  }

  /** A host with a colon is an IPv6 address, which requires brackets. */
  private static Optional<String> host(String text) {
    if (text.startsWith("[") && text.endsWith("]")) {
      String inner = text.substring(1, text.length() - 1);
      return inner.contains(":") ? plain(inner) : Optional.empty();
    }
    return text.contains(":") ? Optional.empty() : plain(text);
  }

  private static Optional<String> plain(String host) {
    boolean plain =
        host.chars().allMatch(c -> Character.isLetterOrDigit(c) || ".-_:%".indexOf(c) >= 0);
    return plain ? Optional.of(host) : Optional.empty();
  }

  private static OptionalInt port(String text) {
    boolean digits = !text.isEmpty() && text.length() <= 5;
    return digits && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? IntStream.of(Integer.parseInt(text)).filter(port -> port <= MAX_PORT).findFirst()
        : OptionalInt.empty();
  }

  /** The form that {@link #parse} accepts. */
  @Override
  public String toString() {
    return socket
        .map(path -> UNIX + path)
        .orElseGet(() -> (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
  }
}
