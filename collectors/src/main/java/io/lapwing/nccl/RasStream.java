package io.lapwing.nccl;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/**
 * What a service sends, up to a deadline and a number of bytes. A peer that sends a byte a minute
 * does not move the deadline.
 */
final class RasStream extends InputStream {

  private final Socket socket;
  private final InputStream in;
  private final Deadline deadline;
  private final long most;
  private long read;

  RasStream(Socket socket, Deadline deadline, long most) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.deadline = deadline;
    this.most = most;
  }

  /** How many bytes were read so far. */
  long count() {
    return read;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    try {
      socket.setSoTimeout(deadline.millis());
    } catch (RasFailure late) {
      throw new Broken(late);
    }
    if (read >= most) {
      throw new Broken(new RasFailure(RasFailure.TOO_LARGE, "more than " + most + " bytes"));
    }
    int got = in.read(into, offset, (int) Math.min(length, most - read));
    if (got > 0) {
      read += got;
    }
    return got;
  }

  /** A failure on its way through what reads from streams. */
  static final class Broken extends IOException {

    private static final long serialVersionUID = 1L;

    private final RasFailure failure;

    Broken(RasFailure failure) {
      super(failure);
      this.failure = failure;
    }

    RasFailure failure() {
      return failure;
    }
  }
}
