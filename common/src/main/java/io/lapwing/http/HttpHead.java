package io.lapwing.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** The status and header fields of a response, by name in lower case; the last of one name. */
public record HttpHead(int status, Map<String, String> fields) {

  public static final int OK = 200;

  private static final int MAX_BYTES = 16 << 10;

  /** The first byte of a TLS alert (RFC 8446, 5.1), which no HTTP response has. */
  private static final int TLS_ALERT = 21;

  private static final Pattern STATUS = Pattern.compile("HTTP/1\\.[01] [1-5]\\d\\d( .*)?");
  private static final Pattern LENGTH = Pattern.compile("\\d{1,18}");

  public HttpHead {
    fields = Map.copyOf(fields);
  }

  /** A header field, by its name in lower case. */
  public Optional<String> field(String name) {
    return Optional.ofNullable(fields.get(name));
  }

  /** Reads up to the first byte of the body. */
  static HttpHead read(InputStream in) throws IOException {
    int[] left = {MAX_BYTES};
    int first = in.read();
    if (first == TLS_ALERT) {
      throw new HttpFailure(HttpFailure.MALFORMED, "this port speaks TLS; use https://");
    }
    if (first < 0) {
      throw new HttpFailure(HttpFailure.TRUNCATED, "the response is empty");
    }
    String status = (char) first + line(in, left);
    if (!STATUS.matcher(status).matches()) {
      throw new HttpFailure(HttpFailure.MALFORMED, "the response is not HTTP");
    }
    Map<String, String> fields = new HashMap<>();
    for (String line = line(in, left); !line.isEmpty(); line = line(in, left)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        fields.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    }
    return new HttpHead(Integer.parseInt(status.substring(9, 12)), fields);
  }

  static String line(InputStream in, int[] left) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int one = in.read(); one != '\n'; one = in.read()) {
      if (one < 0) {
        throw new HttpFailure(HttpFailure.TRUNCATED, "the response is truncated within a line");
      }
      if (left[0]-- == 0) {
        throw new HttpFailure(HttpFailure.MALFORMED, "the response has too many header bytes");
      }
      line.append((char) one);
    }
    int end = line.length() - 1;
    return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
  }

  /** Bytes of the body, if announced. */
  OptionalLong length() throws HttpFailure {
    Optional<String> length = field("content-length");
    if (length.isPresent() && !LENGTH.matcher(length.get()).matches()) {
      throw new HttpFailure(HttpFailure.MALFORMED, "the length of the body is not a number");
    }
    return length.isPresent()
        ? OptionalLong.of(Long.parseLong(length.get()))
        : OptionalLong.empty();
  }

  boolean chunked() throws HttpFailure {
    return isCoded("transfer-encoding", "chunked");
  }

  boolean gzip() throws HttpFailure {
    return isCoded("content-encoding", "gzip");
  }

  /** Any other coding cannot be read, and was not requested. */
  private boolean isCoded(String field, String coding) throws HttpFailure {
    String value = field(field).orElse("identity");
    if (!value.equalsIgnoreCase(coding) && !value.equalsIgnoreCase("identity")) {
      throw new HttpFailure(HttpFailure.MALFORMED, "the response has an unknown " + field);
    }
    return value.equalsIgnoreCase(coding);
  }
}
