package io.lapwing.agent.web;

import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A client as limits see it: an IPv4 address, an IPv6 network of 64 bits (a host chooses the rest),
 * the loopback as a whole, or the Unix socket.
 */
record RemoteHost(ByteBuffer network) {

  private static final int NETWORK_BYTES = 8;
  private static final int LOOPBACK = 127;
  private static final RemoteHost THIS_NODE =
      new RemoteHost(ByteBuffer.wrap(new byte[] {LOOPBACK}));

  static RemoteHost of(@Nullable SocketAddress address) {
    if (!(address instanceof InetSocketAddress inet)
        || inet.isUnresolved()
        || inet.getAddress().isLoopbackAddress()) {
      return THIS_NODE;
    }
    byte[] bytes = inet.getAddress().getAddress();
    return inet.getAddress() instanceof Inet6Address
        ? new RemoteHost(ByteBuffer.wrap(bytes, 0, NETWORK_BYTES).slice())
        : new RemoteHost(ByteBuffer.wrap(bytes));
  }
}
