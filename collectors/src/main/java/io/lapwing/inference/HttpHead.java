package io.lapwing.inference;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * Status line and headers of a response.
 *
 * @param length of the body; -1 if unknown
 * @param chunked whether the body is chunked
 * @param gzip whether the body is compressed
 */
record HttpHead(int status, long length, boolean chunked, boolean gzip) {

  private static final int MAX_BYTES = 16 << 10;

  /** Reads up to the first byte of the body. */
  static HttpHead read(InputStream in) throws IOException {
    int[] left = {MAX_BYTES};
    int status = status(line(in, left));
    long length = -1;
    boolean chunked = false;
    boolean gzip = false;
    for (String line = line(in, left); !line.isEmpty(); line = line(in, left)) {
      int colon = line.indexOf(':');
      String name = colon < 0 ? "" : line.substring(0, colon).toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      switch (name) {
        case "content-length" -> length = length(value);
        case "transfer-encoding" -> chunked = is(value, "chunked");
        case "content-encoding" -> gzip = is(value, "gzip");
        default -> {}
      }
    }
    return new HttpHead(status, length, chunked, gzip);
  }

  /** Rejects a coding that was not requested. */
  private static boolean is(String value, String coding) throws PageFailure {
    if (value.equalsIgnoreCase("identity")) {
      return false;
    }
    if (!value.equalsIgnoreCase(coding)) {
      throw new PageFailure("malformed");
    }
    return true;
  }

  private static int status(String line) throws PageFailure {
    if (!line.matches("HTTP/1\\.[01] [1-5]\\d\\d( .*)?")) {
      throw new PageFailure("malformed");
    }
    return Integer.parseInt(line.substring(9, 12));
  }

  private static long length(String value) throws PageFailure {
    if (!value.matches("\\d{1,18}")) {
      throw new PageFailure("malformed");
    }
    return Long.parseLong(value);
  }

  /** A line without its terminator. */
  static String line(InputStream in, int[] left) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int one = in.read(); one != '\n'; one = in.read()) {
      if (one < 0 || left[0]-- == 0) {
        throw new PageFailure(one < 0 ? "truncated" : "malformed");
      }
      line.append((char) one);
    }
    int end = line.length() - 1;
    return end >= 0 && line.charAt(end) == '\r' ? line.substring(0, end) : line.toString();
  }
}
