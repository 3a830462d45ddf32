package io.lapwing.kubelet;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/** A Unix socket server that is not a kubelet. */
final class RawSocket implements AutoCloseable {

  private final ServerSocketChannel server;

  /** Handles a connection, which is then closed. */
  interface Behaviour {
    void serve(SocketChannel connection) throws IOException, InterruptedException;
  }

  RawSocket(Path path, Behaviour behaviour) throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(path));
    Thread thread = new Thread(() -> serve(behaviour), "raw-socket");
    thread.setDaemon(true);
    thread.start();
  }

  static Behaviour saying(byte[] bytes) {
    return connection -> {
      connection.write(ByteBuffer.wrap(bytes));
      connection.read(ByteBuffer.allocate(1024));
      Thread.sleep(100);
    };
  }

  private void serve(Behaviour behaviour) {
    while (server.isOpen()) {
      try (SocketChannel connection = server.accept()) {
        behaviour.serve(connection);
      } catch (IOException | InterruptedException closed) {
        // Accept the next one, or stop.
      }
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
