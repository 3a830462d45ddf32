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
 * The web configuration: TLS, authentication, headers and rate limit.
 *
 * @param tls empty for plain HTTP
 * @param http2 whether HTTP/2 is offered; only with TLS
 * @param headers added to every response
 * @param users bcrypt hashes by user name, in the order of the file; empty disables authentication
 * @param rateLimit empty for no limit
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
   * A token bucket; each request takes one token.
   *
   * @param interval time in which one token is added
   * @param burst capacity in tokens
   */
  public record RateLimit(Duration interval, int burst) {}

  /** The certificate and key files. */
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

  /** Omits the hashes. */
  @Override
  public String toString() {
    return "WebConfig[tls=" + tls.isPresent() + ", users=" + users.size() + "]";
  }
}
