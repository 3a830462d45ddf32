package io.lapwing.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A loopback port. */
final class FreePort {

  private FreePort() {}

  /** {@code HOST:PORT} with the standard port, or with 0 if it is in use. */
  static String preferring(int port) {
    try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    } catch (IOException taken) {
      return "127.0.0.1:0";
    }
  }
}
