package io.lapwing.common.web;

import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.Listener.Serving;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.systemd.InheritedSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The listeners of all listen addresses. Where the service manager holds the port ({@code
 * lapwing.socket}), its socket is used, so that the port stays taken while the agent restarts.
 */
final class Listeners {
  private static final Log LOG = Log.of(Listeners.class);

  private Listeners() {}

  /** Opens all of them, or none. */
  static List<Listener> open(
      List<ListenAddress> addresses, List<InheritedSocket> inherited, Serving serving)
      throws ListenException {
    List<ListenAddress> left = new ArrayList<>(addresses);
    List<Listener> listeners = new ArrayList<>();
    try {
      for (InheritedSocket socket : inherited) {
        List<ListenAddress> served =
            addresses.stream().filter(address -> covers(socket.address(), address)).toList();
        if (served.isEmpty()) {
          LOG.warn(
              "no web.listen-address names a socket of the service manager; it is not served."
                  + " Change ListenStream= in a drop-in of lapwing.socket",
              "socket",
              socket);
        } else {
          left.removeAll(served);
          listeners.add(
              Listener.adopt(served.get(0), socket, only(socket.address(), served), serving));
        }
      }
      for (ListenAddress address : left) {
        listeners.add(Listener.open(address, serving));
      }
      return List.copyOf(listeners);
    } catch (ListenException e) {
      listeners.forEach(Listener::close);
      throw e;
    }
  }

  /** Whether the socket serves this address, or a part of it. */
  static boolean covers(InetSocketAddress socket, ListenAddress address) {
    if (socket.getPort() != address.port()) {
      return false;
    }
    InetAddress wanted = resolved(address);
    return wanted.isAnyLocalAddress()
        || socket.getAddress().isAnyLocalAddress()
        || wanted.equals(socket.getAddress());
  }

  /**
   * The local addresses to which connections are accepted; empty for all. A socket of the service
   * manager may listen on more addresses than the settings allow.
   */
  static Set<InetAddress> only(InetSocketAddress socket, List<ListenAddress> served) {
    Set<InetAddress> only = new HashSet<>();
    for (ListenAddress address : served) {
      InetAddress wanted = resolved(address);
      if (wanted.isAnyLocalAddress() || wanted.equals(socket.getAddress())) {
        return Set.of();
      }
      only.add(wanted);
    }
    return Set.copyOf(only);
  }

  /** An unknown host covers nothing, and fails when it is bound. */
  private static InetAddress resolved(ListenAddress address) {
    InetSocketAddress any = new InetSocketAddress(address.port());
    InetSocketAddress resolved =
        address.host().isEmpty() ? any : new InetSocketAddress(address.host(), address.port());
    return resolved.isUnresolved() ? InetAddress.getLoopbackAddress() : resolved.getAddress();
  }
}
