package io.lapwing.drain.aws;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;

/**
 * An endpoint on this machine that answers as it is told, to requests whose signature is right: it
 * computes signature version 4 by itself, from AWS's description.
 */
final class AwsEndpoint implements AutoCloseable {

  private static final String ACCESS = "AKIDEXAMPLE";
  private static final String SECRET = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");

  record Answer(int status, String body) {}

  final List<String> bodies = new ArrayList<>();
  final List<String> targets = new ArrayList<>();
  final Deque<Answer> answers = new ArrayDeque<>();
  private final HttpServer server;
  private final String service;

  AwsEndpoint(String service) throws IOException {
    this.service = service;
    this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  AwsEndpoint answers(int status, String body) {
    answers.add(new Answer(status, body));
    return this;
  }

  AwsApi api() {
    return api(SECRET);
  }

  AwsApi api(String secret) {
    return new AwsApi(
        service,
        "us-east-1",
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
        StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCESS, secret)),
        Clock.fixed(NOW, ZoneOffset.UTC));
  }

  private void answer(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    Answer answer =
        isSigned(exchange, body)
            ? answers.size() > 1 ? answers.remove() : answers.element()
            : new Answer(403, "<Response><Errors><Error><Code>SignatureDoesNotMatch</Code>");
    bodies.add(new String(body, StandardCharsets.UTF_8));
    targets.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Amz-Target")));
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private boolean isSigned(HttpExchange exchange, byte[] body) {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    if (authorization == null) {
      return false;
    }
    String signedHeaders = part(authorization, "SignedHeaders=");
    StringBuilder canonical = new StringBuilder("POST\n/\n\n");
    for (String name : signedHeaders.split(";", -1)) {
      String value = exchange.getRequestHeaders().getFirst(name);
      canonical
          .append(name.toLowerCase(Locale.ROOT))
          .append(':')
          .append(value.strip())
          .append('\n');
    }
    canonical.append('\n').append(signedHeaders).append('\n').append(hash(body));
    String scope = "20261125/us-east-1/" + service + "/aws4_request";
    String toSign =
        "AWS4-HMAC-SHA256\n20261125T120000Z\n"
            + scope
            + "\n"
            + hash(canonical.toString().getBytes(StandardCharsets.UTF_8));
    byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
    for (String step : scope.split("/", -1)) {
      key = hmac(key, step);
    }
    return part(authorization, "Credential=").equals(ACCESS + "/" + scope)
        && part(authorization, "Signature=").equals(HexFormat.of().formatHex(hmac(key, toSign)));
  }

  private static String part(String authorization, String name) {
    String rest = authorization.substring(authorization.indexOf(name) + name.length());
    return rest.contains(",") ? rest.substring(0, rest.indexOf(',')) : rest;
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] hmac(byte[] key, String text) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
