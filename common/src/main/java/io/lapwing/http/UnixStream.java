package io.lapwing.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;

/**
 * A connection over a Unix socket. Its reads end at a deadline, for which Java needs a selector.
 */
final class UnixStream extends InputStream {

  private final SocketChannel channel;
  private final Selector selector;
  private final HttpClient.Deadline deadline;

  private UnixStream(SocketChannel channel, Selector selector, HttpClient.Deadline deadline) {
    this.channel = channel;
    this.selector = selector;
    this.deadline = deadline;
  }

  static UnixStream connect(Path socket, HttpClient.Deadline deadline) throws IOException {
    SocketChannel channel;
    try {
      channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    } catch (IOException | IllegalArgumentException refused) {
      throw HttpFailure.of(HttpFailure.UNREACHABLE, refused);
    }
    try {
      return new UnixStream(channel, Selector.open(), deadline);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  /** Sends the only request, which fits into the buffer of the socket. */
  void send(byte[] request) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(request);
    while (bytes.hasRemaining()) {
      channel.write(bytes);
    }
    channel.configureBlocking(false);
    channel.register(selector, SelectionKey.OP_READ);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(into, from, length);
    int read = channel.read(bytes);
    while (read == 0 && length > 0) {
      selector.select(deadline.millisLeft());
      selector.selectedKeys().clear();
      read = channel.read(bytes);
    }
    return read;
  }

  @Override
  public void close() throws IOException {
    try (selector) {
      channel.close();
    }
  }
}
