package io.lapwing.kubelet;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * The body of a reply. A frame is requested after the previous one was read, which bounds memory by
 * HTTP/2's window. One thread reads; Jetty's threads only signal it.
 */
final class ReplyBody extends InputStream implements Stream.Listener {

  private static final String STATUS = "grpc-status";
  private static final int HTTP_OK = 200;

  private final long deadline;
  private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
  private @Nullable Stream stream;
  private Stream.@Nullable Data current;
  private boolean demanded;
  private boolean atEnd;
  private @Nullable String status;

  private sealed interface News permits Begun, DataThere, Ended, Failed {}

  private record Begun(Stream stream) implements News {}

  private record DataThere() implements News {}

  /** The gRPC status may be empty. */
  private record Ended(Stream stream, String status) implements News {}

  private record Failed(String reason) implements News {}

  /** The deadline is by {@link System#nanoTime}. */
  ReplyBody(long deadline) {
    this.deadline = deadline;
  }

  @Override
  public void onHeaders(Stream from, HeadersFrame frame) {
    MetaData head = frame.getMetaData();
    String status = head.getHttpFields().get(STATUS);
    if (head instanceof MetaData.Response reply && reply.getStatus() != HTTP_OK) {
      news.add(new Failed(CallFailure.MALFORMED));
    } else if (frame.isEndStream()) {
      news.add(new Ended(from, status == null ? "" : status));
    } else {
      news.add(new Begun(from));
    }
  }

  @Override
  public void onDataAvailable(Stream from) {
    news.add(new DataThere());
  }

  @Override
  public void onReset(Stream from, ResetFrame frame, Callback callback) {
    news.add(new Failed(CallFailure.CLOSED));
    callback.succeeded();
  }

  @Override
  public void onFailure(
      Stream from, int error, String reason, Throwable failure, Callback callback) {
    fail(failure);
    callback.succeeded();
  }

  void fail(@Nullable Throwable why) {
    boolean closed =
        why == null || why instanceof EOFException || why instanceof ClosedChannelException;
    news.add(new Failed(closed ? CallFailure.CLOSED : CallFailure.MALFORMED));
  }

  @Override
  public int read() throws IOException {
    ByteBuffer bytes = bytes();
    return bytes == null ? -1 : bytes.get() & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int most) throws IOException {
    ByteBuffer bytes = bytes();
    if (bytes == null) {
      return -1;
    }
    int length = Math.min(most, bytes.remaining());
    bytes.get(into, from, length);
    return length;
  }

  /** The gRPC status after all data was read. Fails if the stream ended without one. */
  String status() throws IOException {
    if (bytes() != null) {
      throw new CallFailure(CallFailure.MALFORMED);
    }
    String known = status;
    if (known == null || known.isEmpty()) {
      throw new CallFailure(CallFailure.CLOSED);
    }
    return known;
  }

  /** At least one byte; null at the end: trailers have come and no data is left. */
  private @Nullable ByteBuffer bytes() throws IOException {
    ByteBuffer left = left();
    while (left == null && !(atEnd && status != null)) {
      Stream from = stream;
      Stream.Data next = from == null || atEnd ? null : from.readData();
      if (next != null) {
        current = next;
        atEnd = next.frame().isEndStream();
      } else if (status != null) {
        atEnd = true;
      } else {
        waitForMore();
      }
      left = left();
    }
    return left;
  }

  private @Nullable ByteBuffer left() {
    Stream.Data data = current;
    if (data != null && data.frame().getByteBuffer().hasRemaining()) {
      return data.frame().getByteBuffer();
    }
    release();
    return null;
  }

  private void release() {
    Stream.Data read = current;
    current = null;
    if (read != null) {
      read.release();
    }
  }

  private void waitForMore() throws IOException {
    Stream from = stream;
    if (from != null && !demanded && !atEnd) {
      demanded = true;
      from.demand();
    }
    News now = next();
    if (now instanceof Begun begun) {
      stream = begun.stream();
    } else if (now instanceof Ended ended) {
      stream = ended.stream();
      status = ended.status();
    } else if (now instanceof Failed failed) {
      throw new CallFailure(failed.reason());
    } else {
      demanded = false;
    }
  }

  private News next() throws IOException {
    try {
      News next = news.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        throw new CallFailure(CallFailure.TIMED_OUT);
      }
      return next;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CallFailure(CallFailure.CLOSED);
    }
  }
}
