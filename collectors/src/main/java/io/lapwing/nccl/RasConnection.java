package io.lapwing.nccl;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * One connection to a RAS service, which closes it after one reply.
 *
 * <pre>
 * CLIENT PROTOCOL 2    SERVER PROTOCOL 2
 * TIMEOUT 5            OK
 * SET FORMAT json      OK, or ERROR: Unknown command ... before NCCL 2.28.7
 * VERBOSE STATUS       the reply
 * </pre>
 */
final class RasConnection implements AutoCloseable {

  /** Equal in all versions so far; the service replies with its own and accepts any. */
  private static final int PROTOCOL = 2;

  /** NCCL's default; RAS waits up to twice as long before it replies without silent peers. */
  private static final int TIMEOUT_SECONDS = 5;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);
  private static final int MAX_LINE = 1024;

  private final Socket socket;
  private final RasStream in;

  private RasConnection(Socket socket, Deadline deadline, long maxBytes) throws IOException {
    this.socket = socket;
    this.in = new RasStream(socket, deadline, maxBytes);
  }

  /** Connects, negotiates the protocol and reads at most {@code maxBytes}. */
  static RasConnection open(RasEndpoint endpoint, Deadline deadline, long maxBytes)
      throws RasFailure {
    Socket socket = connect(endpoint, deadline);
    try {
      RasConnection connection = new RasConnection(socket, deadline, maxBytes);
      connection.handshake();
      return connection;
    } catch (IOException broken) {
      close(socket);
      throw failure(broken);
    } catch (RasFailure refused) {
      close(socket);
      throw refused;
    }
  }

  private static Socket connect(RasEndpoint endpoint, Deadline deadline) throws RasFailure {
    RasFailure last = new RasFailure(RasFailure.UNRESOLVED, "no address of " + endpoint.host());
    for (InetAddress address : addresses(endpoint)) {
      Socket socket = new Socket();
      try {
        int millis = deadline.atMost(CONNECT_TIMEOUT).millis();
        socket.connect(new InetSocketAddress(address, endpoint.port()), millis);
        return socket;
      } catch (ConnectException refused) {
        close(socket);
        last = new RasFailure(RasFailure.REFUSED, "nothing listens at " + endpoint);
      } catch (IOException broken) {
        close(socket);
        last = last.reason().equals(RasFailure.REFUSED) ? last : failure(broken);
      }
    }
    throw last;
  }

  private static InetAddress[] addresses(RasEndpoint endpoint) throws RasFailure {
    try {
      return InetAddress.getAllByName(endpoint.host());
    } catch (UnknownHostException unknown) {
      throw new RasFailure(RasFailure.UNRESOLVED, "no address of " + endpoint.host());
    }
  }

  private void handshake() throws IOException, RasFailure {
    send("CLIENT PROTOCOL " + PROTOCOL);
    expect(line().toUpperCase(Locale.ROOT).matches("SERVER PROTOCOL \\d{1,6}"));
    send("TIMEOUT " + TIMEOUT_SECONDS);
    expect(line().equalsIgnoreCase("OK"));
  }

  /** Requests JSON; false if the service supports text only. */
  boolean requestJson() throws RasFailure {
    try {
      send("SET FORMAT json");
      String answer = line();
      boolean unknown = answer.toUpperCase(Locale.ROOT).startsWith("ERROR");
      expect(unknown || answer.equalsIgnoreCase("OK"));
      return !unknown;
    } catch (IOException broken) {
      throw failure(broken);
    }
  }

  /** Requests the status of everything; the reply extends to the end of the stream. */
  InputStream status() throws RasFailure {
    try {
      send("VERBOSE STATUS");
      return in;
    } catch (IOException broken) {
      throw failure(broken);
    }
  }

  InetAddress peer() {
    return socket.getInetAddress();
  }

  long received() {
    return in.count();
  }

  private void send(String command) throws IOException {
    socket.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** The next line without its terminator. */
  String line() throws IOException, RasFailure {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new RasFailure(RasFailure.CUT_OFF, "the connection ended within a line");
      }
      expect(line.length() < MAX_LINE);
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  private static void expect(boolean known) throws RasFailure {
    if (!known) {
      throw new RasFailure(RasFailure.PROTOCOL, "not the protocol of NCCL's RAS");
    }
  }

  /** The cause of a stream failure. */
  static RasFailure failure(IOException broken) {
    if (broken instanceof RasStream.Broken ours) {
      return ours.failure();
    }
    return broken instanceof SocketTimeoutException
        ? new RasFailure(RasFailure.TIMED_OUT, "no reply within the deadline")
        : new RasFailure(RasFailure.IO, String.valueOf(broken.getMessage()));
  }

  @Override
  public void close() {
    close(socket);
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // Opened for reading only.
    }
  }

  /** A deadline on the monotonic clock. */
  record Deadline(long nanos) {

    static Deadline in(Duration time) {
      return new Deadline(System.nanoTime() + time.toNanos());
    }

    /** The remaining milliseconds, at least 1, as 0 means "no timeout" to callers. */
    int millis() throws RasFailure {
      long left = (nanos - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new RasFailure(RasFailure.TIMED_OUT, "no reply within the deadline");
      }
      return (int) Math.min(left, Integer.MAX_VALUE);
    }

    /** The earlier of this deadline and one after that time. */
    Deadline atMost(Duration time) {
      Deadline other = in(time);
      return other.nanos - nanos < 0 ? other : this;
    }
  }
}
