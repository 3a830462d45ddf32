package io.lapwing.bench;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;

/**
 * One keep-alive connection with repeated requests, as from Prometheus.
 *
 * <p>A socket and a byte array instead of an HTTP library: the timed loop allocates hardly
 * anything, so garbage collections of the client do not affect latencies.
 */
public final class ScrapeClient implements AutoCloseable {

  private static final int TIMEOUT_MILLIS = 10_000;

  private final int port;
  private final byte[] request;
  private Socket socket;
  private InputStream in;
  private OutputStream out;
  private byte[] buffer = new byte[1 << 20];
  private int length;
  private int position;
  private int bodyStart;
  private int reconnects;

  ScrapeClient(int port, String path, Encoding encoding) throws IOException {
    this(port, encoding.request(path));
  }

  /** Connects; the bytes are a complete request. */
  ScrapeClient(int port, byte[] request) throws IOException {
    this.port = port;
    this.request = request.clone();
    this.socket = open(port);
    this.in = socket.getInputStream();
    this.out = socket.getOutputStream();
  }

  private static Socket open(int port) throws IOException {
    Socket socket = new Socket();
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MILLIS);
    return socket;
  }

  /** One scrape; the time from the first byte sent to the last byte received. */
  public long scrapeNanos() throws IOException {
    long before = System.nanoTime();
    out.write(request);
    readReply();
    return System.nanoTime() - before;
  }

  /** A scrape that opens a new connection if the server closed the old one while it was idle. */
  public void scrapeAfterIdling() throws IOException {
    try {
      scrapeNanos();
    } catch (IOException closed) {
      close();
      socket = open(port);
      in = socket.getInputStream();
      out = socket.getOutputStream();
      reconnects++;
      scrapeNanos();
    }
  }

  int reconnects() {
    return reconnects;
  }

  /** The body of the last reply. */
  public byte[] body() {
    return Arrays.copyOfRange(buffer, bodyStart, length);
  }

  private void readReply() throws IOException {
    length = 0;
    position = 0;
    int status = 0;
    int contentLength = -1;
    boolean chunked = false;
    for (String line = readLine(); !line.isEmpty(); line = readLine()) {
      if (status == 0) {
        status = Integer.parseInt(line.split(" ", 3)[1]);
        continue;
      }
      String lower = line.toLowerCase(Locale.ROOT);
      if (lower.startsWith("content-length:")) {
        contentLength = Integer.parseInt(lower.substring("content-length:".length()).strip());
      } else if (lower.startsWith("transfer-encoding:")) {
        chunked = lower.contains("chunked");
      }
    }
    bodyStart = position;
    if (chunked) {
      readChunks();
    } else {
      need(position + contentLength);
      length = position + contentLength;
    }
    if (status != 200) {
      throw new NotServing(status);
    }
  }

  /** Joins the chunks in place after the headers. */
  private void readChunks() throws IOException {
    int joined = position;
    for (int size = chunkSize(); size > 0; size = chunkSize()) {
      need(position + size + 2);
      System.arraycopy(buffer, position, buffer, joined, size);
      joined += size;
      position += size + 2;
    }
    readLine();
    length = joined;
  }

  private int chunkSize() throws IOException {
    return Integer.parseInt(readLine().strip(), 16);
  }

  private String readLine() throws IOException {
    for (int i = position; ; i++) {
      need(i + 1);
      if (buffer[i] == '\n') {
        String line = new String(buffer, position, Math.max(0, i - 1 - position), ISO_8859_1);
        position = i + 1;
        return line;
      }
    }
  }

  private void need(int upTo) throws IOException {
    while (length < upTo) {
      if (upTo > buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.max(upTo, buffer.length * 2));
      }
      int read = in.read(buffer, length, buffer.length - length);
      if (read < 0) {
        throw new EOFException("the server closed the connection");
      }
      length += read;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }

  /** The response is not 200. */
  static final class NotServing extends IOException {
    private static final long serialVersionUID = 1L;

    NotServing(int status) {
      super("HTTP status " + status);
    }
  }
}
