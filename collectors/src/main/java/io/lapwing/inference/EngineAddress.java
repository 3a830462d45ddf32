package io.lapwing.inference;

import io.lapwing.http.HttpRequest;
import java.net.URI;
import java.util.Locale;

/** The metrics URL of an engine; the host as written, IPv6 in brackets. */
record EngineAddress(String host, int port, String target) {

  private static final String USUAL_TARGET = "/metrics";
  private static final int HTTP = 80;

  /** Of a URL; the default path is {@code /metrics}. */
  static EngineAddress of(URI page) {
    String path = page.getRawPath();
    String target = path == null || path.isEmpty() || path.equals("/") ? USUAL_TARGET : path;
    String question = page.getRawQuery() == null ? "" : "?" + page.getRawQuery();
    String host = String.valueOf(page.getHost()).toLowerCase(Locale.ROOT);
    return new EngineAddress(host, page.getPort() < 0 ? HTTP : page.getPort(), target + question);
  }

  /** The default URL of an engine on this host. */
  static EngineAddress local(int port) {
    return new EngineAddress("127.0.0.1", port, USUAL_TARGET);
  }

  HttpRequest request() {
    return HttpRequest.get(URI.create("http://" + host + ":" + port + target))
        .with("Accept", "text/plain;version=0.0.4");
  }

  /** The label value: {@code 127.0.0.1:8000}, with the path if it is not {@code /metrics}. */
  String text() {
    String place = host + ":" + port;
    return target.equals(USUAL_TARGET) ? place : place + target;
  }

  String sourceName() {
    String place = host.replaceAll("[^a-z0-9.]+", "-") + "-" + port;
    String other = target.equals(USUAL_TARGET) ? "" : "-" + Integer.toHexString(target.hashCode());
    return "inference-" + place + other;
  }
}
