package io.lapwing.drain.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.web.security.ClientAccess;
import io.lapwing.http.HttpClient;
import io.lapwing.http.HttpFailure;
import io.lapwing.http.HttpRequest;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Queries a controller.
 *
 * @param socket its Unix socket, instead of the host of {@code base}
 */
record ControllerClient(URI base, ClientAccess access, Optional<Path> socket) {
  private static final Duration CONNECT = Duration.ofSeconds(3);

  /** Longer than the controller's own patience. */
  private static final Duration TOTAL = Duration.ofSeconds(30);

  private static final int MOST_BYTES = 16 << 20;

  /** The controller's answer. */
  record Answer(int status, String body) {

    boolean isGood() {
      return status == 200;
    }
  }

  static ControllerClient at(String url, Optional<String> configFile) throws ConfigException {
    URI base;
    try {
      base = URI.create(url.replaceAll("/+$", ""));
    } catch (IllegalArgumentException e) {
      throw noAddress(url);
    }
    boolean web = "http".equals(base.getScheme()) || "https".equals(base.getScheme());
    if (!web || base.getHost() == null || base.getQuery() != null) {
      throw noAddress(url);
    }
    ClientAccess access =
        configFile.isPresent()
            ? ClientAccess.of(ClientConfig.read(Path.of(configFile.get())))
            : ClientAccess.OPEN;
    return new ControllerClient(base, access, Optional.empty());
  }

  private static ConfigException noAddress(String url) {
    return new ConfigException(
        List.of("flag --url: '" + url + "' is not an address such as http://slurm1:9755"));
  }

  static ControllerClient over(Path socket) {
    return new ControllerClient(
        URI.create("http://localhost"), ClientAccess.OPEN, Optional.of(socket));
  }

  Answer get(String path) throws IOException {
    return send(HttpRequest.get(URI.create(base + path)));
  }

  Answer post(String path, ObjectNode json) throws IOException {
    return send(HttpRequest.post(URI.create(base + path), json.toString()));
  }

  private Answer send(HttpRequest request) throws IOException {
    if (socket.isPresent()) {
      Optional<String> objection = SocketOwner.objection(socket.get());
      if (objection.isPresent()) {
        throw new IOException("not asked: " + objection.get());
      }
    }
    HttpRequest secured = access.secured(request);
    try {
      return HttpClient.of(CONNECT, TOTAL)
          .send(
              socket.map(secured::over).orElse(secured),
              (head, body) ->
                  new Answer(
                      head.status(),
                      new String(HttpClient.whole(body, MOST_BYTES), StandardCharsets.UTF_8)));
    } catch (HttpFailure failure) {
      throw new IOException(
          "no controller answers at "
              + socket.map(path -> "unix:" + path).orElseGet(base::toString)
              + ": "
              + words(failure),
          failure);
    }
  }

  private String words(HttpFailure failure) {
    if (socket.isPresent() && !Files.exists(socket.get())) {
      return "there is no such socket; use --web.unix-socket or --url";
    }
    return String.valueOf(failure.getMessage());
  }
}
