package io.lapwing.common.web;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.jetty.server.Response;
import org.jspecify.annotations.Nullable;

/** Serves the GET requests of a path. */
public interface Page {
  Answer answer(Query query);

  interface Query {

    @Nullable String header(String name);

    Set<String> names();

    List<String> parameters(String name);

    /** Equal for requests of the same host. */
    default Object client() {
      return "";
    }

    /** The part of the path that a route names in braces; empty if it names none. */
    default String path(String name) {
      return "";
    }
  }

  /** A complete HTTP response; the body is shared and read-only. */
  @SuppressWarnings("ArrayRecordComponent") // avoids copying a 300 kB page
  record Answer(int status, ResponseHead head, byte[] body) {
    private static final String PLAIN = "text/plain; charset=utf-8";

    private static final ResponseHead TEXT = new ResponseHead(PLAIN, Map.of());

    public Answer(int status, String contentType, Map<String, String> headers, byte[] body) {
      this(status, new ResponseHead(contentType, headers), body);
    }

    public String contentType() {
      return head.contentType();
    }

    public Map<String, String> headers() {
      return head.headers();
    }

    /** A plain-text response of one line. */
    public static Answer text(int status, String text) {
      return new Answer(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    public static Answer moved(String location) {
      return new Answer(
          308,
          PLAIN,
          Map.of("Location", location),
          (location + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** Temporary, depends on the request's headers, and must not be cached. */
    public static Answer found(String location) {
      return new Answer(
          302,
          PLAIN,
          Map.of("Location", location, "Cache-Control", "no-store", "Vary", "Accept"),
          (location + "\n").getBytes(StandardCharsets.UTF_8));
    }

    void writeHead(Response response) {
      head.writeTo(response, status, body.length);
    }

    public static Answer ok(String contentType, byte[] body) {
      return new Answer(200, contentType, Map.of(), body);
    }
  }
}
