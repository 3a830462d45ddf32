package io.lapwing.systemd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A {@code struct sockaddr_un} for what {@code NOTIFY_SOCKET} holds, in unix(7)'s two forms. */
final class SocketAddress {

  /** {@code sizeof(sun_path)}, with the zero that ends a path. */
  private static final int MOST = 108;

  private final byte[] bytes;

  private SocketAddress(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * The address of a socket.
   *
   * @param name an absolute path, or {@code @} and the name of an abstract socket
   * @return empty for anything else, such as {@code vsock:} of a virtual machine's manager
   */
  static Optional<SocketAddress> of(String name) {
    byte[] path = name.getBytes(StandardCharsets.UTF_8);
    boolean isAbstract = name.startsWith("@");
    if (path.length < 2 || path.length >= MOST || (!isAbstract && !name.startsWith("/"))) {
      return Optional.empty();
    }
    // An abstract name begins with a zero and has none at its end: there it would be part of it.
    int size = Short.BYTES + path.length + (isAbstract ? 0 : 1);
    ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    buffer.putShort((short) Libc.AF_UNIX).put(path);
    if (isAbstract) {
      buffer.put(Short.BYTES, (byte) 0);
    }
    return Optional.of(new SocketAddress(buffer.array()));
  }

  /** As the kernel takes it; its length counts. */
  byte[] bytes() {
    return bytes.clone();
  }
}
