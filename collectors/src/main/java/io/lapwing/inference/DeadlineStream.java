package io.lapwing.inference;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A socket's bytes up to a total deadline. A socket's own timeout restarts with each byte, so a
 * trickling peer could block forever.
 */
final class DeadlineStream extends InputStream {

  private final Socket socket;
  private final InputStream in;
  private final LongSupplier nanoTime;
  private final long deadline;

  DeadlineStream(Socket socket, LongSupplier nanoTime, long deadline) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.nanoTime = nanoTime;
    this.deadline = deadline;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline - nanoTime.getAsLong());
    if (left <= 0) {
      throw new PageFailure("timeout");
    }
    try {
      socket.setSoTimeout((int) left);
      return in.read(into, from, length);
    } catch (SocketTimeoutException late) {
      throw new PageFailure("timeout");
    }
  }
}
