package io.lapwing.agent.cli;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.text.Redaction;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The address of an agent, {@code http://127.0.0.1:9754} without a trailing slash.
 *
 * @param socket its Unix socket, instead of the host and port
 */
record AgentAddress(URI base, boolean thisMachine, Optional<Path> socket) {

  static final String HEALTH = "/api/v1/health";
  private static final String UNIX = "unix:";
  private static final Set<String> EVERYWHERE = Set.of("", "0.0.0.0", "::");

  AgentAddress(URI base, boolean thisMachine) {
    this(base, thisMachine, Optional.empty());
  }

  /**
   * A Unix socket of the agent on this machine, in the real path of its directory: that is the one
   * whose owner counts.
   */
  static AgentAddress of(Path socket) {
    return new AgentAddress(URI.create("http://localhost"), true, Optional.of(real(socket)));
  }

  /** The first listen address with a port; empty if every port is 0 (a free port). */
  public static Optional<AgentAddress> of(List<ListenAddress> addresses, boolean encrypted) {
    String scheme = encrypted ? "https://" : "http://";
    return addresses.stream()
        .filter(address -> address.port() != 0)
        .findFirst()
        .map(address -> new AgentAddress(URI.create(scheme + reachable(address)), true));
  }

  private static ListenAddress reachable(ListenAddress address) {
    return EVERYWHERE.contains(address.host())
        ? new ListenAddress("127.0.0.1", address.port())
        : address;
  }

  /** Parses the value of {@code --url}: {@code http://node7:9754}, {@code unix:/run/x.sock}. */
  public static AgentAddress parse(String url) throws ConfigException {
    String text = url.endsWith(HEALTH) ? url.substring(0, url.length() - HEALTH.length()) : url;
    if (text.startsWith(UNIX + "/")) {
      return of(Path.of(text.substring(UNIX.length())));
    }
    try {
      URI uri = new URI(text.replaceAll("/+$", ""));
      boolean web = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (web && uri.getHost() != null && uri.getUserInfo() != null) {
        throw new ConfigException(
            List.of("flag --url: takes no user and password; they belong in --http.config.file"));
      }
      if (web && uri.getHost() != null && uri.getQuery() == null && uri.getFragment() == null) {
        return new AgentAddress(uri, loopback(uri.getHost()));
      }
    } catch (URISyntaxException e) {
      // Falls through to the error below.
    }
    throw new ConfigException(
        List.of(
            "flag --url: '"
                + Redaction.url(url)
                + "' is not an address such as http://node7:9754 or unix:/PATH"));
  }

  private static Path real(Path socket) {
    Path path = socket.toAbsolutePath().normalize();
    Path folder = path.getParent();
    try {
      return folder == null ? path : folder.toRealPath().resolve(path.getFileName());
    } catch (IOException missing) {
      return path;
    }
  }

  private static boolean loopback(String host) {
    return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]+){3}");
  }

  /** A page of the agent, such as {@code /api/v1/live?rates}. */
  URI page(String path) {
    return URI.create(base + path);
  }

  @Override
  public String toString() {
    return socket.map(path -> UNIX + path).orElseGet(base::toString);
  }
}
