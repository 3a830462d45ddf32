package io.lapwing.agent.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who may ask, and through what, as a file of exporter-toolkit's form says.
 *
 * @param tls none for plain HTTP
 * @param http2 whether HTTP/2 is spoken; with TLS only
 * @param headers sent with every answer
 * @param users their bcrypt hashes by name, in the order of the file; empty lets everybody in
 * @param rateLimit none for no limit
 */
public record WebConfig(
    Optional<TlsConfig> tls,
    boolean http2,
    Map<String, String> headers,
    Map<String, String> users,
    Optional<RateLimit> rateLimit) {

  public WebConfig {
    headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    users = Collections.unmodifiableMap(new LinkedHashMap<>(users));
  }

  /**
   * A bucket of tokens, one for each request.
   *
   * @param interval one more token each
   * @param burst how many it holds
   */
  public record RateLimit(Duration interval, int burst) {}

  /** The files it names. */
  public List<Path> files() {
    List<Path> files = new ArrayList<>();
    tls.ifPresent(
        config -> {
          config.certificate().file().ifPresent(files::add);
          config.key().file().ifPresent(files::add);
          config.clientCa().flatMap(PemSource::file).ifPresent(files::add);
        });
    return List.copyOf(files);
  }

  /** Without the hashes. */
  @Override
  public String toString() {
    return "WebConfig[tls=" + tls.isPresent() + ", users=" + users.size() + "]";
  }
}
