package io.lapwing.common.web;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client as limits see it: an IPv4 address, an IPv6 network of 64 bits (a host chooses the rest),
 * this node (127.0.0.1 or ::1), any other address of the loopback, or the Unix socket: every user
 * of the node can use these. Users of the Unix socket share one limit: the JDK looks up the name of
 * a peer's uid, which may take seconds where a directory service has the names.
 */
record RemoteHost(ByteBuffer network) {

  private static final int NETWORK_BYTES = 8;
  private static final int LOOPBACK = 127;
  private static final RemoteHost THIS_NODE =
      new RemoteHost(ByteBuffer.wrap(new byte[] {LOOPBACK}));

  private static final RemoteHost LOOPBACK_USERS =
      new RemoteHost(ByteBuffer.wrap(new byte[] {LOOPBACK, 0}));

  private static final RemoteHost UNIX_SOCKET =
      new RemoteHost(ByteBuffer.wrap(new byte[] {LOOPBACK, 0, 0}));

  static RemoteHost of(@Nullable SocketAddress address) {
    if (address instanceof UnixDomainSocketAddress) {
      return UNIX_SOCKET;
    }
    if (!(address instanceof InetSocketAddress inet) || inet.isUnresolved()) {
      return THIS_NODE;
    }
    byte[] bytes = inet.getAddress().getAddress();
    if (inet.getAddress().isLoopbackAddress()) {
      return bytes[bytes.length - 1] == 1 && bytes[1] == 0 && bytes[2] == 0
          ? THIS_NODE
          : LOOPBACK_USERS;
    }
    return inet.getAddress() instanceof Inet6Address
        ? new RemoteHost(ByteBuffer.wrap(bytes, 0, NETWORK_BYTES).slice())
        : new RemoteHost(ByteBuffer.wrap(bytes));
  }
}
