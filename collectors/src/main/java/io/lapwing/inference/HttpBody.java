package io.lapwing.inference;

import java.io.IOException;
import java.io.InputStream;

/** A response body, chunked or not; a truncated one fails. */
final class HttpBody extends InputStream {

  private static final int MAX_CHUNK_LINE = 256;

  private final InputStream in;
  private final boolean chunked;

  /** Bytes left of the current chunk; -1 if it extends to the end of the stream. */
  private long left;

  private boolean first = true;
  private boolean ended;

  /**
   * @param in positioned at the first byte of the body
   */
  HttpBody(InputStream in, HttpHead head) {
    this.in = in;
    this.chunked = head.chunked();
    this.left = chunked ? 0 : head.length();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (left == 0 && chunked && !ended) {
      left = nextChunk();
    }
    if (ended || left == 0) {
      return -1;
    }
    int read = in.read(into, from, left < 0 ? length : (int) Math.min(length, left));
    if (read < 0 && left > 0) {
      throw new PageFailure("truncated");
    }
    left -= left > 0 ? Math.max(read, 0) : 0;
    return read;
  }

  private long nextChunk() throws IOException {
    int[] room = {MAX_CHUNK_LINE};
    if (!first && !HttpHead.line(in, room).isEmpty()) {
      throw new PageFailure("malformed");
    }
    first = false;
    String size = HttpHead.line(in, room).split(";", 2)[0].strip();
    if (!size.matches("[0-9a-fA-F]{1,8}")) {
      throw new PageFailure("malformed");
    }
    long chunk = Long.parseLong(size, 16);
    ended = chunk == 0;
    return chunk;
  }
}
