package io.lapwing.nccl;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;

/** The bytes from a service, up to a total size and a deadline that no byte extends. */
final class RasStream extends InputStream {

  private final Socket socket;
  private final InputStream in;
  private final RasConnection.Deadline deadline;
  private final long maxBytes;
  private long read;

  RasStream(Socket socket, RasConnection.Deadline deadline, long maxBytes) throws IOException {
    this.socket = socket;
    this.in = socket.getInputStream();
    this.deadline = deadline;
    this.maxBytes = maxBytes;
  }

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
    if (read >= maxBytes) {
      throw new Broken(new RasFailure(RasFailure.TOO_LARGE, "more than " + maxBytes + " bytes"));
    }
    int got = in.read(into, offset, (int) Math.min(length, maxBytes - read));
    if (got > 0) {
      read += got;
    }
    return got;
  }

  /** Carries a failure through stream readers. */
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
