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
 * One connection to a RAS service. It speaks lines of text, and one question is all it answers: the
 * service closes the connection behind its reply.
 *
 * <pre>
 * CLIENT PROTOCOL 2    SERVER PROTOCOL 2
 * TIMEOUT 5            OK
 * SET FORMAT json      OK, or ERROR: Unknown command ... before NCCL 2.28.7
 * VERBOSE STATUS       the reply
 * </pre>
 */
final class RasConversation implements AutoCloseable {

  /** Of all versions so far; the service answers with its own and takes any. */
  private static final int PROTOCOL = 2;

  /** NCCL's own choice; it takes as long again before it answers without those that are silent. */
  private static final int TIMEOUT_SECONDS = 5;

  private static final Duration TO_CONNECT = Duration.ofSeconds(1);
  private static final int LONGEST_LINE = 1024;

  private final Socket socket;
  private final RasStream in;

  private RasConversation(Socket socket, Deadline deadline, long most) throws IOException {
    this.socket = socket;
    this.in = new RasStream(socket, deadline, most);
  }

  /**
   * Connects and greets.
   *
   * @param most how many bytes are read at most
   */
  static RasConversation open(RasEndpoint endpoint, Deadline deadline, long most)
      throws RasFailure {
    Socket socket = connect(endpoint, deadline);
    try {
      RasConversation conversation = new RasConversation(socket, deadline, most);
      conversation.greet();
      return conversation;
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
        int millis = deadline.atMost(TO_CONNECT).millis();
        socket.connect(new InetSocketAddress(address, endpoint.port()), millis);
        return socket;
      } catch (ConnectException refused) {
        close(socket);
        last = new RasFailure(RasFailure.REFUSED, "nobody listens at " + endpoint);
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

  private void greet() throws IOException, RasFailure {
    send("CLIENT PROTOCOL " + PROTOCOL);
    expect(line().toUpperCase(Locale.ROOT).matches("SERVER PROTOCOL \\d{1,6}"));
    send("TIMEOUT " + TIMEOUT_SECONDS);
    expect(line().equalsIgnoreCase("OK"));
  }

  /** Asks for JSON; false where the service knows only text. */
  boolean wantsJson() throws RasFailure {
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

  /** Asks for the state of everything; the reply goes on to the end of the stream. */
  InputStream status() throws RasFailure {
    try {
      send("VERBOSE STATUS");
      return in;
    } catch (IOException broken) {
      throw failure(broken);
    }
  }

  /** The address that answered. */
  InetAddress peer() {
    return socket.getInetAddress();
  }

  /** How many bytes the service has sent. */
  long received() {
    return in.count();
  }

  private void send(String command) throws IOException {
    socket.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
  }

  /** The next line without its end; a service sends none before it is asked, so none is lost. */
  String line() throws IOException, RasFailure {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new RasFailure(RasFailure.CUT_OFF, "the connection ended within a line");
      }
      expect(line.length() < LONGEST_LINE);
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  private static void expect(boolean known) throws RasFailure {
    if (!known) {
      throw new RasFailure(RasFailure.PROTOCOL, "it does not speak as NCCL's RAS does");
    }
  }

  /** What went wrong below. */
  static RasFailure failure(IOException broken) {
    if (broken instanceof RasStream.Broken ours) {
      return ours.failure();
    }
    return broken instanceof SocketTimeoutException
        ? new RasFailure(RasFailure.TIMED_OUT, "no answer within the deadline")
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
      // It was only read from.
    }
  }
}
