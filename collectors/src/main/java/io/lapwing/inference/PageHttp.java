package io.lapwing.inference;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * An HTTP client on the calling thread with one deadline for the whole exchange: the JDK's clients
 * have none for a trickling response, or use threads of their own. Follows neither proxies nor
 * redirects.
 *
 * @param connect timeout of a connection
 * @param whole timeout of the exchange
 */
record PageHttp(Duration connect, Duration whole, LongSupplier nanoTime) {

  private static final int OK = 200;

  /** Reads a decompressed body. */
  interface Reader<T> {
    T read(InputStream body) throws IOException;
  }

  /**
   * Fetches a page.
   *
   * @throws PageFailure for any failure, including those while the body is read
   */
  <T> T get(EngineAddress page, Reader<T> reader) throws PageFailure {
    long deadline = nanoTime.getAsLong() + whole.toNanos();
    try (Socket socket = new Socket()) {
      connect(socket, page);
      socket.getOutputStream().write(question(page));
      InputStream in = new BufferedInputStream(new DeadlineStream(socket, nanoTime, deadline));
      HttpHead head = HttpHead.read(in);
      if (head.status() != OK) {
        throw new PageFailure("status");
      }
      InputStream body = new HttpBody(in, head);
      return reader.read(head.gzip() ? new GZIPInputStream(body) : body);
    } catch (PageFailure known) {
      throw known;
    } catch (ZipException garbage) {
      throw new PageFailure("malformed");
    } catch (EOFException cut) {
      throw new PageFailure("truncated");
    } catch (IOException broken) {
      throw new PageFailure("io");
    }
  }

  private void connect(Socket socket, EngineAddress page) throws PageFailure {
    try {
      InetSocketAddress address = new InetSocketAddress(page.host(), page.port());
      if (address.isUnresolved()) {
        throw new UnknownHostException(page.host());
      }
      socket.connect(address, (int) connect.toMillis());
    } catch (SocketTimeoutException late) {
      throw new PageFailure("timeout");
    } catch (IOException | IllegalArgumentException nobody) {
      throw new PageFailure("unreachable");
    }
  }

  /**
   * Accepts compression without requesting it: on the same host it costs the engine more than it
   * saves.
   */
  private static byte[] question(EngineAddress page) {
    return ("GET "
            + page.target()
            + " HTTP/1.1\r\nHost: "
            + page.host()
            + ":"
            + page.port()
            + "\r\nAccept: text/plain;version=0.0.4\r\nUser-Agent: lapwing\r\nConnection: close\r\n\r\n")
        .getBytes(StandardCharsets.US_ASCII);
  }
}
