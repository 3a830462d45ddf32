package io.lapwing.systemd;

import com.sun.jna.Library;
import com.sun.jna.Native;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A listening TCP socket that the service manager opened for this process: sd_listen_fds(3) without
 * its library.
 */
public final class InheritedSocket {

  /** {@code SD_LISTEN_FDS_START}. */
  private static final int FIRST = 3;

  private static final int MAX_SOCKETS = 64;
  private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

  private final Libc libc;
  private final int descriptor;
  private final InetSocketAddress address;

  private InheritedSocket(Libc libc, int descriptor, InetSocketAddress address) {
    this.libc = libc;
    this.descriptor = descriptor;
    this.address = address;
  }

  /**
   * The sockets of {@code LISTEN_FDS} that listen for TCP; none if the variables are meant for
   * another process. Loads the C library only if there is one.
   */
  public static List<InheritedSocket> in(Map<String, String> environment, long pid) {
    int count = number(environment.getOrDefault("LISTEN_FDS", ""));
    if (count == 0 || !environment.getOrDefault("LISTEN_PID", "").equals(Long.toString(pid))) {
      return List.of();
    }
    Libc libc = Native.load(Libc.class);
    List<InheritedSocket> sockets = new ArrayList<>();
    for (int descriptor = FIRST; descriptor < FIRST + count; descriptor++) {
      int one = descriptor;
      listensOn(libc, one)
          .ifPresent(address -> sockets.add(new InheritedSocket(libc, one, address)));
    }
    return List.copyOf(sockets);
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,4}") ? Math.min(Integer.parseInt(text), MAX_SOCKETS) : 0;
  }

  /** The bound address. */
  public InetSocketAddress address() {
    return address;
  }

  /**
   * A channel that accepts connections of this socket; to be called once. Java 17 can adopt
   * descriptor 0 only. So this opens a channel on a free port of the loopback and lets the kernel
   * replace its descriptor, which closes the free port. {@code getLocalAddress()} of the channel
   * still names that port.
   */
  public ServerSocketChannel channel() throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
      int own = descriptorOf((InetSocketAddress) channel.getLocalAddress());
      if (libc.dup3(descriptor, own, Libc.O_CLOEXEC) != own) {
        throw new IOException("dup3: " + Native.getLastError());
      }
      libc.close(descriptor);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private int descriptorOf(InetSocketAddress wanted) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(DESCRIPTORS)) {
      for (Path one : all) {
        int number = Integer.parseInt(String.valueOf(one.getFileName()));
        if (number != descriptor && listensOn(libc, number).filter(wanted::equals).isPresent()) {
          return number;
        }
      }
    }
    throw new IOException("no descriptor listens on " + wanted);
  }

  private static Optional<InetSocketAddress> listensOn(Libc libc, int descriptor) {
    int[] listening = new int[1];
    int[] length = {Integer.BYTES};
    int asked = libc.getsockopt(descriptor, Libc.SOL_SOCKET, Libc.SO_ACCEPTCONN, listening, length);
    if (asked != 0 || listening[0] == 0) {
      return Optional.empty();
    }
    byte[] address = new byte[Libc.MAX_ADDRESS];
    int[] size = {address.length};
    return libc.getsockname(descriptor, address, size) == 0
        ? address(ByteBuffer.wrap(address))
        : Optional.empty();
  }

  /** Parses a {@code struct sockaddr_in} or {@code sockaddr_in6}. */
  private static Optional<InetSocketAddress> address(ByteBuffer struct) {
    int family = struct.order(ByteOrder.nativeOrder()).getShort();
    int port = Short.toUnsignedInt(struct.order(ByteOrder.BIG_ENDIAN).getShort());
    byte[] host = new byte[family == Libc.AF_INET ? 4 : 16];
    if (family == Libc.AF_INET6) {
      struct.getInt(); // the flow label
    } else if (family != Libc.AF_INET) {
      return Optional.empty();
    }
    struct.get(host);
    try {
      return Optional.of(new InetSocketAddress(InetAddress.getByAddress(host), port));
    } catch (IOException impossible) {
      throw new IllegalStateException("an address of " + host.length + " bytes", impossible);
    }
  }

  @Override
  public String toString() {
    return address.toString();
  }

  /** The C functions for sockets, with the names and types of the headers. */
  interface Libc extends Library {

    int AF_INET = 2;
    int AF_INET6 = 10;
    int SOL_SOCKET = 1;
    int SO_ACCEPTCONN = 30;
    int O_CLOEXEC = 0x80000;

    /** {@code sizeof(struct sockaddr_storage)}. */
    int MAX_ADDRESS = 128;

    int getsockopt(int socket, int level, int option, int[] value, int[] length);

    int getsockname(int socket, byte[] address, int[] length);

    int dup3(int from, int to, int flags);

    int close(int descriptor);
  }
}
