package io.lapwing.linux;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashSet;
import java.util.Set;

/** The addresses of this node, queried each time since interfaces come and go. */
@FunctionalInterface
public interface NodeAddresses {

  /** Without scopes; empty if they cannot be determined. */
  Set<InetAddress> now();

  /** Those of all interfaces in the agent's own network namespace. */
  static NodeAddresses ofInterfaces() {
    return () -> {
      Set<InetAddress> all = new HashSet<>();
      try {
        NetworkInterface.networkInterfaces()
            .flatMap(NetworkInterface::inetAddresses)
            .forEach(all::add);
      } catch (SocketException untold) {
        return Set.of();
      }
      return all;
    };
  }
}
