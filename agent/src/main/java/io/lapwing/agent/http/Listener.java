package io.lapwing.agent.http;

import io.lapwing.agent.config.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** One address listened on. */
final class Listener {
  /** Longer than a minute, so that a scrape a minute finds its connection still open. */
  private static final int KEEP_ALIVE_MILLIS = 75_000;

  /** How long a client may neither read nor write in the middle of a request. */
  private static final int STALLED_MILLIS = 10_000;

  private static final int REQUEST_HEADER_BYTES = 8 * 1024;

  private final ServerConnector connector;

  private Listener(ServerConnector connector) {
    this.connector = connector;
  }

  /** Binds the address; nothing is answered before the server starts. */
  static Listener open(ListenAddress address, Server server) throws ListenException {
    // No acceptor thread: the selector accepts as well, which saves a thread per address.
    ServerConnector connector =
        new ServerConnector(server, 0, 1, new HttpConnectionFactory(protocol()));
    connector.setHost(address.host().isEmpty() ? null : address.host());
    connector.setPort(address.port());
    connector.setIdleTimeout(KEEP_ALIVE_MILLIS);
    try {
      connector.open();
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw new ListenException(address, e);
    }
    server.addConnector(connector);
    return new Listener(connector);
  }

  InetSocketAddress address() {
    String host = connector.getHost();
    return host == null
        ? new InetSocketAddress(connector.getLocalPort())
        : new InetSocketAddress(host, connector.getLocalPort());
  }

  void close() {
    connector.close();
  }

  private static HttpConfiguration protocol() {
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setSendXPoweredBy(false);
    http.setRequestHeaderSize(REQUEST_HEADER_BYTES);
    http.setIdleTimeout(STALLED_MILLIS);
    return http;
  }
}
