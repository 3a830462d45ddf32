package io.lapwing.drain.slurm;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A slurmrestd that answers from texts, and notes how it was asked. */
final class FakeSlurmRest implements AutoCloseable {

  private final HttpServer server;
  private final Map<String, Answer> answers = new HashMap<>();

  /** {@code GET /slurm/v0.0.42/nodes}. */
  final List<String> asked = new ArrayList<>();

  /** Of all requests: the name of the user, and the token. */
  final List<String> credentials = new ArrayList<>();

  private record Answer(int status, String body) {}

  FakeSlurmRest(String... versions) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    serves(versions);
  }

  /** From now on these versions, with the paths around them. */
  void serves(String... versions) {
    String paths =
        Stream.concat(
                Stream.of("\"/openapi/v3\": {\"get\": {}}"),
                Stream.of(versions)
                    .map(
                        one ->
                            "\"/slurm/%1$s/nodes\": {\"get\": [1]}, \"/slurm/%1$s/jobs\": {}"
                                .formatted(one)))
            .collect(Collectors.joining(","));
    answers("GET /openapi/v3", 200, "{\"openapi\": \"3.0.2\", \"paths\": {" + paths + "}}");
  }

  void answers(String request, int status, String body) {
    answers.put(request, new Answer(status, body));
  }

  private synchronized void answer(HttpExchange exchange) throws IOException {
    String sent = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    asked.add(request + (sent.isEmpty() ? "" : " " + sent));
    credentials.add(
        exchange.getRequestHeaders().getFirst("X-SLURM-USER-NAME")
            + " "
            + exchange.getRequestHeaders().getFirst("X-SLURM-USER-TOKEN"));
    Answer answer = answers.getOrDefault(request, new Answer(404, "not found"));
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length);
    try (var out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  SlurmRest rest(Optional<Path> token) {
    return new SlurmRest(
        URI.create("http://127.0.0.1:" + server.getAddress().getPort()),
        Optional.empty(),
        token,
        Duration.ofSeconds(20));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
