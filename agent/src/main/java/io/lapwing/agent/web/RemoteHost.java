package io.lapwing.agent.web;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client as limits see it: an IPv4 address, an IPv6 network of 64 bits (a host chooses the rest),
 * this node (127.0.0.1, ::1 or the Unix socket), or any other address of the loopback: all of them
 * are free for every user of the node.
 */
record RemoteHost(ByteBuffer network) {

  private static final int NETWORK_BYTES = 8;
  private static final int LOOPBACK = 127;
  private static final RemoteHost THIS_NODE =
      new RemoteHost(ByteBuffer.wrap(new byte[] {LOOPBACK}));

  private static final RemoteHost LOOPBACK_USERS =
      new RemoteHost(ByteBuffer.wrap(new byte[] {LOOPBACK, 0}));

  static RemoteHost of(@Nullable SocketAddress address) {
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
