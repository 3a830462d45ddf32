package io.lapwing.systemd;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** A {@code struct sockaddr_un} for {@code NOTIFY_SOCKET}, in either form of unix(7). */
final class SocketAddress {

  /** {@code sizeof(sun_path)}, including the final zero of a path. */
  private static final int MAX_PATH = 108;

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
    if (path.length < 2 || path.length >= MAX_PATH || (!isAbstract && !name.startsWith("/"))) {
      return Optional.empty();
    }
    // An abstract name starts with a zero; a final zero would be part of the name.
    int size = Short.BYTES + path.length + (isAbstract ? 0 : 1);
    ByteBuffer buffer = ByteBuffer.allocate(size).order(ByteOrder.nativeOrder());
    buffer.putShort((short) Libc.AF_UNIX).put(path);
    if (isAbstract) {
      buffer.put(Short.BYTES, (byte) 0);
    }
    return Optional.of(new SocketAddress(buffer.array()));
  }

  /** As passed to the kernel, without padding. */
  byte[] bytes() {
    return bytes.clone();
  }
}
