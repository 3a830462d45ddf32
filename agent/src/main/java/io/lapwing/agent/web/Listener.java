package io.lapwing.agent.web;

import io.lapwing.agent.config.ListenAddress;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.util.Optional;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;

/** One address listened on. */
final class Listener {
  /** Longer than a minute, so that a scrape a minute finds its connection still open. */
  private static final int KEEP_ALIVE_MILLIS = 75_000;

  /** How long a connection that is between two requests stays when the server stops. */
  private static final int LAST_IDLE_MILLIS = 50;

  private final ServerConnector connector;
  private final String scheme;
  private final String host;
  private final InetSocketAddress address;

  private Listener(
      ServerConnector connector, String scheme, String host, InetSocketAddress address) {
    this.connector = connector;
    this.scheme = scheme;
    this.host = host;
    this.address = address;
  }

  /** Binds the address; nothing is answered before the server starts. */
  static Listener open(
      ListenAddress address, Server server, ConnectionLimiter crowd, Optional<WebSecurity> security)
      throws ListenException {
    ServerConnector connector = new LimitedConnector(server, crowd, Protocols.of(security));
    connector.setHost(address.host().isEmpty() ? null : address.host());
    connector.setPort(address.port());
    connector.setIdleTimeout(KEEP_ALIVE_MILLIS);
    connector.setShutdownIdleTimeout(LAST_IDLE_MILLIS);
    InetSocketAddress bound = bind(connector, address);
    server.addConnector(connector);
    String scheme = security.filter(WebSecurity::encrypted).isPresent() ? "https" : "http";
    return new Listener(connector, scheme, address.host(), bound);
  }

  /** With the port that was taken for port 0. */
  InetSocketAddress address() {
    return address;
  }

  /** What a browser on this node opens. */
  String url() {
    String reachable = host.isEmpty() ? "localhost" : host;
    return scheme + "://" + new ListenAddress(reachable, address.getPort());
  }

  private static InetSocketAddress bind(ServerConnector connector, ListenAddress address)
      throws ListenException {
    try {
      connector.open();
      ServerSocketChannel channel = (ServerSocketChannel) connector.getTransport();
      return (InetSocketAddress) channel.getLocalAddress();
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw new ListenException(address, e);
    }
  }

  void close() {
    connector.close();
  }

  /**
   * Runs a task once this address's selector has turned and a worker was free, as a request does.
   */
  void inTurn(Runnable task) {
    connector
        .getSelectorManager()
        .getBeans(ManagedSelector.class)
        .forEach(selector -> selector.submit(ready -> connector.getExecutor().execute(task)));
  }
}
