package io.lapwing.node;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Replies to every connection with the same bytes, or with none. */
final class RawServer implements AutoCloseable {

  /** Writes a response, until it returns or the client disconnects. */
  interface Response {
    void write(OutputStream out) throws IOException;
  }

  private final ServerSocket socket;
  private final Response response;

  /** Kept open until close, so that a request without a response times out. */
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  private RawServer(Response response, boolean closes) throws IOException {
    this.response = response;
    this.socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(() -> serve(closes), "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  static RawServer responding(String text) throws IOException {
    return new RawServer(out -> out.write(text.getBytes(StandardCharsets.ISO_8859_1)), true);
  }

  static RawServer writing(Response response) throws IOException {
    return new RawServer(response, true);
  }

  /** Accepts every connection and never responds. */
  static RawServer silent() throws IOException {
    return new RawServer(out -> {}, false);
  }

  URI base() {
    return URI.create("http://127.0.0.1:" + socket.getLocalPort());
  }

  private void serve(boolean closes) {
    while (!socket.isClosed()) {
      try {
        Socket one = socket.accept();
        open.add(one);
        one.getInputStream().read(new byte[4096]);
        response.write(one.getOutputStream());
        if (closes) {
          one.close();
        }
      } catch (IOException gone) {
        // The client disconnected, or this server was closed.
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
    for (Socket one : open) {
      one.close();
    }
  }
}
