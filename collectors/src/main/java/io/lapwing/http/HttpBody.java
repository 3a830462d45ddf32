package io.lapwing.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.regex.Pattern;

/** The body of a response, chunked or plain; fails if it ends too early. */
final class HttpBody extends InputStream {

  private static final int MAX_CHUNK_LINE = 256;
  private static final Pattern SIZE = Pattern.compile("[0-9a-fA-F]{1,8}");

  private final InputStream in;
  private final boolean chunked;

  /** Whether the length is known; otherwise the body ends with the stream. */
  private final boolean bounded;

  /** Bytes left of the current chunk, or of the body. */
  private long left;

  private boolean first = true;
  private boolean ended;

  /** The body that follows a head. */
  HttpBody(InputStream in, HttpHead head) throws HttpFailure {
    this.in = in;
    this.chunked = head.chunked();
    this.bounded = chunked || head.length().isPresent();
    this.left = chunked ? 0 : head.length().orElse(0);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (!bounded) {
      return in.read(into, from, length);
    }
    if (left == 0 && chunked && !ended) {
      left = nextChunk();
    }
    if (ended || left == 0) {
      return -1;
    }
    int read = in.read(into, from, (int) Math.min(length, left));
    if (read < 0) {
      throw new HttpFailure(HttpFailure.TRUNCATED, "the response is truncated");
    }
    left -= read;
    return read;
  }

  private long nextChunk() throws IOException {
    int[] room = {MAX_CHUNK_LINE};
    if (!first && !HttpHead.line(in, room).isEmpty()) {
      throw new HttpFailure(HttpFailure.MALFORMED, "a chunk is longer than its size");
    }
    first = false;
    String size = HttpHead.line(in, room).split(";", 2)[0].strip();
    if (!SIZE.matcher(size).matches()) {
      throw new HttpFailure(HttpFailure.MALFORMED, "a chunk has no size");
    }
    long chunk = Long.parseLong(size, 16);
    ended = chunk == 0;
    return chunk;
  }
}
