package io.lapwing.bench;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Replaces the agent: serves one file at every path until it is killed. Its arguments are the file
 * and {@code --web.listen-address=127.0.0.1:PORT}.
 */
public final class FixedPageServer {

  private FixedPageServer() {}

  /** Serves. */
  public static void main(String[] arguments) throws IOException {
    byte[] page = Files.readAllBytes(Path.of(arguments[0]));
    String address = arguments[arguments.length - 1];
    int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
    start(port, page, page.length);
  }

  /**
   * Starts a server in this process.
   *
   * @param announcedLength the Content-Length, or 0 for a reply in chunks
   */
  static HttpServer start(int port, byte[] page, long announcedLength) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.sendResponseHeaders(200, announcedLength);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    return server;
  }
}
