package io.lapwing.http;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLSocketFactory;

/**
 * A request; IPv6 hosts in brackets.
 *
 * @param tls Java's defaults if empty
 * @param body its content; empty for none
 * @param socket a Unix socket to send it over, instead of TCP to the host
 */
public record HttpRequest(
    String method,
    URI uri,
    Map<String, String> headers,
    String body,
    Optional<Tls> tls,
    Optional<Path> socket) {

  private static final String HTTPS = "https";
  private static final int HTTP_PORT = 80;
  private static final int HTTPS_PORT = 443;

  /** How a server is authenticated; one pinned by its certificate may have any name. */
  public record Tls(SSLSocketFactory factory, boolean anyName) {}

  public HttpRequest {
    headers = Map.copyOf(headers);
  }

  /** Over TCP. */
  public HttpRequest(String method, URI uri, Map<String, String> headers, Optional<Tls> tls) {
    this(method, uri, headers, "", tls, Optional.empty());
  }

  public static HttpRequest get(URI uri) {
    return new HttpRequest("GET", uri, Map.of(), Optional.empty());
  }

  /** Sends JSON. */
  public static HttpRequest post(URI uri, String json) {
    return new HttpRequest(
        "POST",
        uri,
        Map.of("Content-Type", "application/json"),
        json,
        Optional.empty(),
        Optional.empty());
  }

  public HttpRequest with(String header, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(header, value);
    return new HttpRequest(method, uri, more, body, tls, socket);
  }

  public HttpRequest with(Tls other) {
    return new HttpRequest(method, uri, headers, body, Optional.of(other), socket);
  }

  /** As this, but over a Unix socket. */
  public HttpRequest over(Path other) {
    return new HttpRequest(method, uri, headers, body, tls, Optional.of(other));
  }

  /** Without headers and query, which may be secrets. */
  @Override
  public String toString() {
    return method + " " + uri.getScheme() + "://" + host() + ":" + port() + uri.getRawPath();
  }

  boolean encrypted() {
    return HTTPS.equalsIgnoreCase(uri.getScheme());
  }

  String host() {
    return String.valueOf(uri.getHost());
  }

  int port() {
    int defaultPort = encrypted() ? HTTPS_PORT : HTTP_PORT;
    return uri.getPort() < 0 ? defaultPort : uri.getPort();
  }

  /** Without keep-alive, which would need a thread that watches the idle connection. */
  byte[] bytes() {
    byte[] content = body.getBytes(StandardCharsets.UTF_8);
    String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    StringBuilder head =
        new StringBuilder(method + " " + path + query + " HTTP/1.1\r\n")
            .append("Host: " + host() + ":" + port() + "\r\n")
            .append("User-Agent: lapwing\r\nConnection: close\r\n");
    headers.forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    if (!method.equals("GET")) {
      head.append("Content-Length: " + content.length + "\r\n");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
    bytes.writeBytes(content);
    return bytes.toByteArray();
  }
}
