package io.lapwing.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * The sockets that listen on TCP ports, from {@code net/tcp} and {@code net/tcp6} of procfs:
 *
 * <pre>{@code
 * sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
 *  0: 0100007F:261A 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 4711
 * }</pre>
 */
public final class TcpListeners {

  /** {@code TCP_LISTEN} of net/tcp_states.h. */
  private static final String LISTENING = "0A";

  /** Connections of a busy node take lines too. */
  private static final int MAX_LINES = 200_000;

  private static final int LOCAL = 1;
  private static final int STATE = 3;
  private static final int UID = 7;

  /** A listening socket; {@code uid} is its owner, in the user namespace of the reader. */
  public record TcpListener(InetAddress address, int port, long uid) {

    /** Whether it accepts connections to this local address. */
    public boolean serves(InetAddress local) {
      return address.isAnyLocalAddress() || address.equals(local);
    }
  }

  private TcpListeners() {}

  /** Those on a port; {@code net} is {@code /proc/self/net}. */
  public static List<TcpListener> on(int port, Path net) throws IOException {
    List<TcpListener> found = new ArrayList<>();
    read(net.resolve("tcp"), port, found);
    try {
      read(net.resolve("tcp6"), port, found);
    } catch (NoSuchFileException disabled) {
      // The kernel has no IPv6.
    }
    return List.copyOf(found);
  }

  private static void read(Path file, int port, List<TcpListener> found) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
      String line = lines.readLine();
      for (int read = 0; line != null && read < MAX_LINES; read++) {
        listener(line).filter(one -> one.port() == port).ifPresent(found::add);
        line = lines.readLine();
      }
    }
  }

  static Optional<TcpListener> listener(String line) {
    String[] fields = line.strip().split("\\s+", -1);
    if (fields.length <= UID || !fields[STATE].equals(LISTENING)) {
      return Optional.empty();
    }
    int colon = fields[LOCAL].indexOf(':');
    try {
      return Optional.of(
          new TcpListener(
              InetAddress.getByAddress(address(fields[LOCAL].substring(0, Math.max(0, colon)))),
              HexFormat.fromHexDigits(fields[LOCAL], colon + 1, fields[LOCAL].length()),
              Long.parseLong(fields[UID])));
    } catch (IOException | IllegalArgumentException malformed) {
      return Optional.empty();
    }
  }

  /** Words of 32 bits, each printed as a number of this machine's byte order. */
  private static byte[] address(String hex) {
    ByteBuffer words = ByteBuffer.wrap(HexFormat.of().parseHex(hex));
    ByteBuffer bytes = ByteBuffer.allocate(words.capacity()).order(ByteOrder.nativeOrder());
    while (words.remaining() >= Integer.BYTES) {
      bytes.putInt(words.getInt());
    }
    return bytes.array();
  }
}
