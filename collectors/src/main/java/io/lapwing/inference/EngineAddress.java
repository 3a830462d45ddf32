package io.lapwing.inference;

import io.lapwing.http.HttpRequest;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The metrics URL of an engine; the host as written, IPv6 in brackets. The query may be a secret:
 * only {@link #request} has it.
 *
 * @param query with its question mark, or empty
 * @param number 1, or more if earlier URLs differ in their query only
 */
record EngineAddress(String host, int port, String path, String query, int number) {

  private static final String USUAL_PATH = "/metrics";
  private static final int HTTP = 80;

  /** Of configured URLs, each once; the default path is {@code /metrics}. */
  static List<EngineAddress> all(List<URI> pages) {
    Map<String, Integer> numbers = new HashMap<>();
    List<EngineAddress> addresses = new ArrayList<>();
    for (EngineAddress one : pages.stream().map(EngineAddress::of).distinct().toList()) {
      addresses.add(one.numbered(numbers.merge(one.text(), 1, Integer::sum)));
    }
    return addresses;
  }

  static EngineAddress of(URI page) {
    String path = page.getRawPath();
    String shown = path == null || path.isEmpty() || path.equals("/") ? USUAL_PATH : path;
    String query = page.getRawQuery() == null ? "" : "?" + page.getRawQuery();
    String host = String.valueOf(page.getHost()).toLowerCase(Locale.ROOT);
    return new EngineAddress(host, page.getPort() < 0 ? HTTP : page.getPort(), shown, query, 1);
  }

  /** The default URL of an engine on this host. */
  static EngineAddress local(int port) {
    return new EngineAddress("127.0.0.1", port, USUAL_PATH, "", 1);
  }

  private EngineAddress numbered(int other) {
    return new EngineAddress(host, port, path, query, other);
  }

  HttpRequest request() {
    return HttpRequest.get(URI.create("http://" + host + ":" + port + path + query))
        .with("Accept", "text/plain;version=0.0.4");
  }

  /**
   * The label value: {@code 127.0.0.1:8000}, with the path if it is not {@code /metrics}, and
   * {@code #2} for the second URL that differs in its query only.
   */
  String text() {
    String other = path.equals(USUAL_PATH) ? "" : path;
    return host + ":" + port + other + (number == 1 ? "" : "#" + number);
  }

  String sourceName() {
    String place = host.replaceAll("[^a-z0-9.]+", "-") + "-" + port;
    String other = path.equals(USUAL_PATH) ? "" : "-" + Integer.toHexString(path.hashCode());
    return "inference-" + place + other + (number == 1 ? "" : "-" + number);
  }

  /** Without the query. */
  @Override
  public String toString() {
    return text();
  }
}
