package io.lapwing.systemd;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** The notification socket of systemd or a container manager: sd_notify(3) without its library. */
public final class NotifySocket implements Supervisor {

  private static final String SOCKET = "NOTIFY_SOCKET";
  private static final String WATCHDOG = "WATCHDOG_USEC";
  private static final String WATCHDOG_PID = "WATCHDOG_PID";

  private final Libc libc;
  private final SocketAddress address;

  private NotifySocket(Libc libc, SocketAddress address) {
    this.libc = libc;
    this.address = address;
  }

  /** The supervisor, or {@link Supervisor#NONE}; loads the C library only if there is one. */
  public static Supervisor in(Map<String, String> environment) {
    return SocketAddress.of(environment.getOrDefault(SOCKET, ""))
        .<Supervisor>map(address -> new NotifySocket(Native.load(Libc.class), address))
        .orElse(NONE);
  }

  /** The longest time between keep-alives; another process's environment may be inherited. */
  public static Optional<Duration> watchdog(Map<String, String> environment, long pid) {
    String meant = environment.getOrDefault(WATCHDOG_PID, "");
    if (!meant.isEmpty() && !meant.equals(Long.toString(pid))) {
      return Optional.empty();
    }
    return microseconds(environment.getOrDefault(WATCHDOG, ""));
  }

  private static Optional<Duration> microseconds(String text) {
    try {
      long micros = Long.parseLong(text);
      return micros > 0 ? Optional.of(Duration.ofNanos(micros * 1000)) : Optional.empty();
    } catch (NumberFormatException none) {
      return Optional.empty();
    }
  }

  /** Opens a socket per message: a kept one would not survive a restart of the manager. */
  @Override
  public boolean send(String state) {
    int socket = libc.socket(Libc.AF_UNIX, Libc.SOCK_DGRAM | Libc.SOCK_CLOEXEC, 0);
    if (socket < 0) {
      return false;
    }
    byte[] message = state.getBytes(StandardCharsets.UTF_8);
    byte[] to = address.bytes();
    int flags = Libc.MSG_DONTWAIT | Libc.MSG_NOSIGNAL;
    try {
      return libc.sendto(socket, message, message.length, flags, to, to.length) == message.length;
    } finally {
      libc.close(socket);
    }
  }

  /** The C functions for sending a datagram, with the names and types of the headers. */
  interface Libc extends Library {

    int AF_UNIX = 1;
    int SOCK_DGRAM = 2;
    int SOCK_CLOEXEC = 0x80000;
    int MSG_DONTWAIT = 0x40;
    int MSG_NOSIGNAL = 0x4000;

    int socket(int domain, int type, int protocol);

    /** Lengths are size_t, a long on both architectures with NVIDIA drivers. */
    long sendto(
        int socket, byte[] message, long length, int flags, byte[] address, int addressSize);

    int close(int socket);
  }

  /** A {@code struct sockaddr_un} for {@code NOTIFY_SOCKET}, in either form of unix(7). */
  static final class SocketAddress {

    /** {@code sizeof(sun_path)}, including the final zero of a path. */
    private static final int MAX_PATH = 108;

    private final byte[] bytes;

    private SocketAddress(byte[] bytes) {
      this.bytes = bytes;
    }

    /**
     * An absolute path or {@code @} and an abstract name; empty for anything else, such as {@code
     * vsock:} of a virtual machine's manager.
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
      buffer.putShort((short) NotifySocket.Libc.AF_UNIX).put(path);
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
}
