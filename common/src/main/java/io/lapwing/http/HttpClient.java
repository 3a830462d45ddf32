package io.lapwing.http;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * Sends one HTTP/1.1 request per connection on the calling thread, with one deadline for
 * connection, request and response: the JDK's clients have none for a response that arrives byte by
 * byte, or have threads of their own. Proxies and redirects are not followed. Only name resolution,
 * and a Unix socket whose queue is full, have no deadline.
 */
public record HttpClient(Duration connect, Duration total, LongSupplier nanoTime) {

  /** Reads a response; the body is decompressed. */
  public interface Handler<T> {
    T read(HttpHead head, InputStream body) throws IOException;
  }

  public static HttpClient of(Duration connect, Duration total) {
    return new HttpClient(connect, total, System::nanoTime);
  }

  /** Sends a request and reads its response; any failure is {@link HttpFailure}. */
  public <T> T send(HttpRequest request, Handler<T> handler) throws HttpFailure {
    Deadline deadline = new Deadline(nanoTime.getAsLong() + total.toNanos(), nanoTime);
    return request.socket().isPresent()
        ? overUnixSocket(request.socket().get(), request, handler, deadline)
        : overTcp(request, handler, deadline);
  }

  private static <T> T overUnixSocket(
      Path socket, HttpRequest request, Handler<T> handler, Deadline deadline) throws HttpFailure {
    try (UnixStream stream = UnixStream.connect(socket, deadline)) {
      stream.send(request.bytes());
      return response(new BufferedInputStream(stream), handler);
    } catch (HttpFailure known) {
      throw known;
    } catch (IOException broken) {
      throw HttpFailure.of(HttpFailure.IO, broken);
    }
  }

  private <T> T overTcp(HttpRequest request, Handler<T> handler, Deadline deadline)
      throws HttpFailure {
    try (Socket socket = connected(request);
        Socket secured = secured(socket, request, deadline)) {
      secured.getOutputStream().write(request.bytes());
      InputStream in = new BufferedInputStream(new DeadlineStream(secured, deadline));
      return response(in, handler);
    } catch (HttpFailure known) {
      throw known;
    } catch (IOException broken) {
      throw HttpFailure.of(HttpFailure.IO, broken);
    }
  }

  /** All of a body; {@code too_large} if it has more bytes. */
  public static byte[] whole(InputStream body, int max) throws IOException {
    byte[] bytes = body.readNBytes(max + 1);
    if (bytes.length > max) {
      throw new HttpFailure(HttpFailure.TOO_LARGE, "the response is longer than " + max + " bytes");
    }
    return bytes;
  }

  static <T> T response(InputStream in, Handler<T> handler) throws IOException {
    try {
      HttpHead head = HttpHead.read(in);
      InputStream body = new HttpBody(in, head);
      return handler.read(head, head.gzip() ? new GZIPInputStream(body) : body);
    } catch (ZipException garbage) {
      throw HttpFailure.of(HttpFailure.MALFORMED, garbage);
    } catch (EOFException cut) {
      throw HttpFailure.of(HttpFailure.TRUNCATED, cut);
    }
  }

  private Socket connected(HttpRequest request) throws HttpFailure {
    Socket socket = new Socket();
    try {
      InetSocketAddress address = new InetSocketAddress(request.host(), request.port());
      if (address.isUnresolved()) {
        throw new UnknownHostException("unknown host " + request.host());
      }
      socket.connect(address, (int) connect.toMillis());
      return socket;
    } catch (IOException | IllegalArgumentException refused) {
      close(socket);
      boolean late = refused instanceof SocketTimeoutException;
      throw HttpFailure.of(late ? HttpFailure.TIMEOUT : HttpFailure.UNREACHABLE, refused);
    }
  }

  private static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException alreadyGone) {
      // No data was sent, so none is lost.
    }
  }

  private static Socket secured(Socket socket, HttpRequest request, Deadline deadline)
      throws IOException {
    if (!request.encrypted()) {
      return socket;
    }
    SSLSocketFactory factory =
        request
            .tls()
            .map(HttpRequest.Tls::factory)
            .orElseGet(() -> (SSLSocketFactory) SSLSocketFactory.getDefault());
    String host = request.host().replaceAll("[\\[\\]]", "");
    SSLSocket secured = (SSLSocket) factory.createSocket(socket, host, request.port(), true);
    if (!request.tls().map(HttpRequest.Tls::anyName).orElse(false)) {
      SSLParameters parameters = secured.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      secured.setSSLParameters(parameters);
    }
    secured.setSoTimeout(deadline.millisLeft());
    try {
      secured.startHandshake();
      return secured;
    } catch (SocketTimeoutException late) {
      throw HttpFailure.of(HttpFailure.TIMEOUT, late);
    } catch (SSLException untrusted) {
      throw HttpFailure.of(HttpFailure.UNTRUSTED, untrusted);
    }
  }

  /** When a request ends at the latest. */
  record Deadline(long nanos, LongSupplier nanoTime) {

    /** At least one: 0 would be no limit. */
    int millisLeft() throws HttpFailure {
      long left = TimeUnit.NANOSECONDS.toMillis(nanos - nanoTime.getAsLong());
      if (left <= 0) {
        throw new HttpFailure(HttpFailure.TIMEOUT);
      }
      return (int) Math.min(left, Integer.MAX_VALUE);
    }
  }

  /** A socket's own timeout restarts with each byte, so it is shortened before each read. */
  private static final class DeadlineStream extends InputStream {

    private final Socket socket;
    private final InputStream in;
    private final Deadline deadline;

    DeadlineStream(Socket socket, Deadline deadline) throws IOException {
      this.socket = socket;
      this.in = socket.getInputStream();
      this.deadline = deadline;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      socket.setSoTimeout(deadline.millisLeft());
      try {
        return in.read(into, from, length);
      } catch (SocketTimeoutException late) {
        throw HttpFailure.of(HttpFailure.TIMEOUT, late);
      }
    }
  }

  /** The body of a response, chunked or plain; fails if it ends too early. */
  static final class HttpBody extends InputStream {

    private static final int MAX_CHUNK_LINE = 256;
    private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,8}");

    private final InputStream in;
    private final boolean chunked;

    /** Whether the length is known; otherwise the body ends with the stream. */
    private final boolean bounded;

    /** Bytes left of the current chunk, or of the body. */
    private long left;

    private boolean first = true;
    private boolean ended;

    HttpBody(InputStream in, HttpHead head) throws HttpFailure {
      this.in = in;
      this.chunked = head.chunked();
      this.bounded = chunked || head.length().isPresent();
      this.left = chunked ? 0 : head.length().orElse(0);
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
      if (!bounded) {
        return in.read(into, from, length);
      }
      if (left == 0 && chunked && !ended) {
        left = nextChunk();
      }
      if (ended || left == 0) {
        return -1;
      }
      int read = in.read(into, from, (int) Math.min(length, left));
      if (read < 0) {
        throw new HttpFailure(HttpFailure.TRUNCATED, "the response is truncated");
      }
      left -= read;
      return read;
    }

    private long nextChunk() throws IOException {
      int[] room = {MAX_CHUNK_LINE};
      if (!first && !HttpHead.line(in, room).isEmpty()) {
        throw new HttpFailure(HttpFailure.MALFORMED, "a chunk is longer than its size");
      }
      first = false;
      String size = HttpHead.line(in, room).split(";", 2)[0].strip();
      if (!SIZE.matcher(size).matches()) {
        throw new HttpFailure(HttpFailure.MALFORMED, "a chunk has no size");
      }
      long chunk = Long.parseLong(size, 16);
      ended = chunk == 0;
      return chunk;
    }
  }
}
