package io.lapwing.common.web;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.PreEncodedHttpField;
import org.eclipse.jetty.server.Response;

/** The content type and the headers of responses, encoded once. */
public final class ResponseHead {

  /** Default policy of HTML pages: no scripts, no framing. */
  private static final Map<String, String> HTML =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; "
              + "frame-ancestors 'none'",
          "X-Frame-Options",
          "deny",
          "Referrer-Policy",
          "no-referrer");

  private final String contentType;
  private final Map<String, String> headers;
  private final HttpField type;

  /** All but the type. */
  private final List<HttpField> fields = new ArrayList<>();

  public ResponseHead(String contentType, Map<String, String> headers) {
    this.contentType = contentType;
    this.headers = Map.copyOf(headers);
    this.type = new PreEncodedHttpField(HttpHeader.CONTENT_TYPE, contentType);
    headers.forEach(this::add);
    add("X-Content-Type-Options", "nosniff");
    if (contentType.startsWith("application/json")) {
      add("Cache-Control", "no-store");
    }
    if (contentType.startsWith("text/html")) {
      HTML.forEach(this::add);
    }
  }

  private void add(String name, String value) {
    if (fields.stream().noneMatch(field -> field.is(name))) {
      fields.add(new PreEncodedHttpField(name, value));
    }
  }

  String contentType() {
    return contentType;
  }

  Map<String, String> headers() {
    return headers;
  }

  /** Fields that the response has, such as the operator's, keep their values. */
  void writeTo(Response response, int status, int bytes) {
    response.setStatus(status);
    HttpFields.Mutable into = response.getHeaders();
    if (isEmpty(into)) {
      into.add(type);
      fields.forEach(into::add);
      into.add(new HttpField.LongValueHttpField(HttpHeader.CONTENT_LENGTH, bytes));
      return;
    }
    fields.stream().filter(field -> !into.contains(field.getName())).forEach(into::add);
    // Javalin has set a default.
    into.put(type);
    into.put(HttpHeader.CONTENT_LENGTH, bytes);
  }

  /** Whether there is nothing but the date, so that no field has to be searched for. */
  private static boolean isEmpty(HttpFields fields) {
    for (HttpField field : fields) {
      if (field.getHeader() != HttpHeader.DATE) {
        return false;
      }
    }
    return true;
  }
}
