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

/** Answers every connection with the same bytes, whatever it is asked, or with none. */
final class RawServer implements AutoCloseable {

  /** What to write; ends when it returns, or when the other side is gone. */
  interface Answer {
    void write(OutputStream out) throws IOException;
  }

  private final ServerSocket socket;
  private final Answer answer;

  /** Held open until the end, so that a question without an answer is just that. */
  private final List<Socket> open = new CopyOnWriteArrayList<>();

  private RawServer(Answer answer, boolean closes) throws IOException {
    this.answer = answer;
    this.socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(() -> serve(closes), "raw-server");
    thread.setDaemon(true);
    thread.start();
  }

  static RawServer saying(String text) throws IOException {
    return new RawServer(out -> out.write(text.getBytes(StandardCharsets.ISO_8859_1)), true);
  }

  static RawServer writing(Answer answer) throws IOException {
    return new RawServer(answer, true);
  }

  /** Takes every connection and never says anything. */
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
        answer.write(one.getOutputStream());
        if (closes) {
          one.close();
        }
      } catch (IOException gone) {
        // The other side has heard enough, or this one was closed.
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
