package io.lapwing.kubelet;

import io.lapwing.kubelet.PodResources.Device;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.api.Session;
import org.eclipse.jetty.http2.api.Stream;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;

/** One call of {@code List}. */
final class KubeletCall {

  /** The limit of other kubelet clients, too. */
  private static final long MAX_BYTES = 16L * 1024 * 1024;

  private static final int PREFIX = 5;
  private static final String METHOD = "/v1.PodResourcesLister/List";

  private final Duration timeout;
  private final long deadline;

  /** It begins now: connecting may be a part of it. */
  KubeletCall(Duration timeout) {
    this.timeout = timeout;
    this.deadline = System.nanoTime() + timeout.toNanos();
  }

  ReplyBody reply() {
    return new ReplyBody(deadline);
  }

  List<Device> list(Session session, ReplyBody reply) throws IOException {
    Stream stream = await(session.newStream(new HeadersFrame(head(), null, false), reply));
    // An empty message: a prefix of one byte for the compression and four for the length.
    await(stream.data(new DataFrame(stream.getId(), ByteBuffer.allocate(PREFIX), true)));
    return read(reply);
  }

  private MetaData.Request head() {
    HttpFields fields =
        HttpFields.build()
            .put("content-type", "application/grpc")
            .put("te", "trailers")
            .put("grpc-timeout", timeout.toMillis() + "m")
            .put("user-agent", "lapwing");
    return new MetaData.Request(
        "POST", HttpURI.from("http://localhost" + METHOD), HttpVersion.HTTP_2, fields);
  }

  private static List<Device> read(ReplyBody reply) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(reply, 4096));
    int compressed = in.read();
    if (compressed < 0) {
      throw new CallFailure(failed(reply.status()));
    }
    try {
      long length = Integer.toUnsignedLong(in.readInt());
      if (compressed != 0) {
        throw new CallFailure(CallFailure.MALFORMED);
      }
      if (length > MAX_BYTES) {
        throw new CallFailure(CallFailure.TOO_LARGE);
      }
      List<Device> devices = PodResourcesReply.read(new ProtoReader(in, length));
      if (in.read() >= 0) {
        throw new CallFailure(CallFailure.MALFORMED);
      }
      String status = GrpcStatus.name(reply.status());
      if (!status.equals(GrpcStatus.OK)) {
        throw new CallFailure(status);
      }
      return devices;
    } catch (EOFException cut) {
      throw new CallFailure(CallFailure.CLOSED);
    }
  }

  /** Status OK without a message is malformed. */
  private static String failed(String status) {
    String name = GrpcStatus.name(status);
    return name.equals(GrpcStatus.OK) ? CallFailure.MALFORMED : name;
  }

  <T> T await(Future<T> future) throws IOException {
    try {
      return future.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException late) {
      throw new CallFailure(CallFailure.TIMED_OUT);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new CallFailure(CallFailure.CLOSED);
    } catch (ExecutionException failed) {
      throw new CallFailure(reason(String.valueOf(failed.getCause())));
    }
  }

  private static String reason(String cause) {
    if (cause.contains("Connection refused")) {
      return "refused";
    }
    if (cause.contains("Permission denied")) {
      return "no_permission";
    }
    return cause.contains("Closed") || cause.contains("closed") ? CallFailure.CLOSED : "io";
  }

  static final class GrpcStatus {

    static final String OK = "ok";

    private static final List<String> NAMES =
        List.of(
            OK,
            "cancelled",
            "unknown",
            "invalid_argument",
            "deadline_exceeded",
            "not_found",
            "already_exists",
            "permission_denied",
            "resource_exhausted",
            "failed_precondition",
            "aborted",
            "out_of_range",
            "unimplemented",
            "internal",
            "unavailable",
            "data_loss",
            "unauthenticated");

    private GrpcStatus() {}

    /** The name of a {@code grpc-status} header; {@code unknown} for an undefined number. */
    static String name(String number) {
      for (int i = 0; i < NAMES.size(); i++) {
        if (String.valueOf(i).equals(number)) {
          return NAMES.get(i);
        }
      }
      return "unknown";
    }
  }
}
