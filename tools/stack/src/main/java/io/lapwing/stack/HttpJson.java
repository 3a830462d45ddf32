package io.lapwing.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A server's JSON API. Errors are a {@link ServerException} with its log. */
public final class HttpJson {

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final String name;
  private final URI address;
  private final Supplier<String> log;

  HttpJson(String name, URI address, Supplier<String> log) {
    this.name = name;
    this.address = address;
    this.log = log;
  }

  /** A server without a log here. */
  public HttpJson(String name, URI address) {
    this(name, address, () -> "");
  }

  URI address() {
    return address;
  }

  public JsonNode get(String path) {
    return read(request(path).GET().build());
  }

  /** POST, because a query may be longer than a URL may be. */
  public JsonNode post(String path, Map<String, String> form) {
    String body =
        form.entrySet().stream()
            .map(field -> field.getKey() + "=" + encoded(field.getValue()))
            .collect(Collectors.joining("&"));
    return read(
        request(path)
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build());
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** Whether it answers with 200; false if nothing listens. */
  boolean answers(String path) {
    try {
      return send(request(path).GET().build()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE);
  }

  private JsonNode read(HttpRequest request) {
    try {
      HttpResponse<String> response = send(request);
      if (response.statusCode() != 200) {
        throw new ServerException(
            name + " answers " + response.statusCode() + ": " + response.body());
      }
      return JSON.readTree(response.body());
    } catch (IOException e) {
      String lines = log.get();
      throw new ServerException(
          name + " does not answer" + (lines.isEmpty() ? "" : "; its log:\n" + lines), e);
    }
  }

  private static HttpResponse<String> send(HttpRequest request) throws IOException {
    try {
      return CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerException("interrupted", e);
    }
  }
}
