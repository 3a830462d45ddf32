package io.lapwing.common.web;

import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.systemd.InheritedSocket;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectableChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SelectorManager;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;

/** A bound listen address, with the actual port for port 0. */
record Listener(ServerConnector connector, String scheme, String host, InetSocketAddress address) {
  private static final Log LOG = Log.of(Listener.class);

  /** Above the common scrape interval of a minute, so that scrapers reuse their connection. */
  private static final int KEEP_ALIVE_MILLIS = 75_000;

  /** How long idle connections stay open while the server stops. */
  private static final int SHUTDOWN_IDLE_MILLIS = 50;

  /** What all listeners of a server share. */
  record Serving(Server server, ConnectionLimiter connections, Optional<WebSecurity> security) {

    String scheme() {
      return security.filter(WebSecurity::encrypted).isPresent() ? "https" : "http";
    }
  }

  /** Binds the address. Requests are served once the server starts. */
  static Listener open(ListenAddress address, Serving serving) throws ListenException {
    ServerConnector connector = connector(Set.of(), serving);
    connector.setHost(address.host().isEmpty() ? null : address.host());
    connector.setPort(address.port());
    try {
      connector.open();
      ServerSocketChannel channel = (ServerSocketChannel) connector.getTransport();
      return opened(connector, address, (InetSocketAddress) channel.getLocalAddress(), serving);
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw new ListenException(address, e);
    }
  }

  /** Uses a socket of the service manager; accepts connections to these local addresses only. */
  static Listener adopt(
      ListenAddress address, InheritedSocket socket, Set<InetAddress> only, Serving serving)
      throws ListenException {
    ServerConnector connector = connector(only, serving);
    try {
      connector.open(socket.channel());
      if (!only.isEmpty()) {
        LOG.warn(
            "the service manager listens on more than web.listen-address; other connections are"
                + " closed at once. Change ListenStream= in a drop-in of lapwing.socket",
            "socket",
            socket,
            "address",
            address);
      }
      return opened(connector, address, socket.address(), serving);
    } catch (IOException | RuntimeException e) {
      connector.close();
      throw new ListenException(address, e);
    }
  }

  private static ServerConnector connector(Set<InetAddress> only, Serving serving) {
    ServerConnector connector =
        new LimitedConnector(serving, only, Protocols.of(serving.security()));
    connector.setIdleTimeout(KEEP_ALIVE_MILLIS);
    connector.setShutdownIdleTimeout(SHUTDOWN_IDLE_MILLIS);
    return connector;
  }

  private static Listener opened(
      ServerConnector connector, ListenAddress address, InetSocketAddress bound, Serving serving) {
    serving.server().addConnector(connector);
    return new Listener(connector, serving.scheme(), address.host(), bound);
  }

  /** A URL that works on this node. */
  String url() {
    String reachable = host.isEmpty() ? "localhost" : host;
    return scheme + "://" + new ListenAddress(reachable, address.getPort());
  }

  void close() {
    connector.close();
  }

  /** Accepts connections of a Unix socket too, without TLS; only after the server has started. */
  void alsoServe(LocalSocket socket) throws IOException {
    socket.channel().configureBlocking(false);
    Closeable unused = connector.getSelectorManager().acceptor(socket.channel());
  }

  /** Runs a task as a request would: after the selector's next pass, on a free worker. */
  void inTurn(Runnable task) {
    connector
        .getSelectorManager()
        .getBeans(ManagedSelector.class)
        .forEach(selector -> selector.submit(ready -> connector.getExecutor().execute(task)));
  }

  /** Reports opened and closed connections to the limiter. */
  private static final class LimitedConnector extends ServerConnector {
    private final ConnectionLimiter connections;
    private final Set<InetAddress> only;

    LimitedConnector(Serving serving, Set<InetAddress> only, ConnectionFactory... protocols) {
      // No acceptor thread: the selector accepts, which saves a thread per address.
      super(serving.server(), 0, 1, protocols);
      this.connections = serving.connections();
      this.only = only;
    }

    @Override
    protected void onEndPointOpened(EndPoint endPoint) {
      super.onEndPointOpened(endPoint);
      connections.opened(endPoint);
      if (!isAccepted(endPoint)) {
        endPoint.close();
      }
    }

    private boolean isAccepted(EndPoint endPoint) {
      return only.isEmpty()
          || !(endPoint.getLocalSocketAddress() instanceof InetSocketAddress local)
          || only.contains(local.getAddress());
    }

    @Override
    protected SelectorManager newSelectorManager(
        Executor executor, Scheduler scheduler, int selectors) {
      return new BothFamilies(executor, scheduler, selectors);
    }

    /** One selector for TCP and for the Unix socket saves a thread. */
    private final class BothFamilies extends ServerConnectorManager {

      BothFamilies(Executor executor, Scheduler scheduler, int selectors) {
        super(executor, scheduler, selectors);
      }

      @Override
      protected void accepted(SelectableChannel channel) throws IOException {
        if (isLocal(channel)) {
          // Without the options of TCP.
          channel.configureBlocking(false);
          accept(channel);
        } else {
          super.accepted(channel);
        }
      }

      @Override
      public Connection newConnection(
          SelectableChannel channel, EndPoint endPoint, Object attachment) throws IOException {
        return isLocal(channel)
            ? getConnectionFactory(HttpConnectionFactory.class)
                .newConnection(LimitedConnector.this, endPoint)
            : super.newConnection(channel, endPoint, attachment);
      }

      private static boolean isLocal(SelectableChannel channel) throws IOException {
        return ((SocketChannel) channel).getLocalAddress() instanceof UnixDomainSocketAddress;
      }
    }

    @Override
    protected void onEndPointClosed(EndPoint endPoint) {
      connections.closed(endPoint);
      super.onEndPointClosed(endPoint);
    }
  }
}
