package io.lapwing.common.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The web configuration: TLS, authentication, headers and rate limit. The file of {@code
 * --web.config.file} has the format of Prometheus' exporter-toolkit, so that all exporters of a
 * node can share it:
 *
 * <pre>{@code
 * tls_server_config: {cert_file: server.crt, key_file: server.key}
 * http_server_config: {http2: true, headers: {X-Frame-Options: deny}}
 * basic_auth_users: {prometheus: $2y$10$...}
 * rate_limit: {interval: 1s, burst: 10}
 * }</pre>
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

  /** A token bucket: one token per request, one added per interval, {@code burst} at most. */
  public record RateLimit(Duration interval, int burst) {}

  public List<Path> files() {
    List<Path> files = new ArrayList<>();
    tls.ifPresent(
        config -> {
          config.certificate().file().ifPresent(files::add);
          config.key().file().ifPresent(files::add);
          config.clientCa().flatMap(TlsConfig.PemSource::file).ifPresent(files::add);
        });
    return List.copyOf(files);
  }

  /** Omits the hashes. */
  @Override
  public String toString() {
    return "WebConfig[tls=" + tls.isPresent() + ", users=" + users.size() + "]";
  }

  private static final Pattern BCRYPT =
      Pattern.compile("\\$2[aby]\\$(0[4-9]|[12][0-9]|3[01])\\$[./A-Za-z0-9]{53}");

  /** The headers that may be set, with their allowed values; an empty list allows any. */
  private static final Map<String, List<String>> HEADERS =
      Map.of(
          "Content-Security-Policy", List.of(),
          "Strict-Transport-Security", List.of(),
          "X-Content-Type-Options", List.of("nosniff"),
          "X-Frame-Options", List.of("deny", "sameorigin"),
          "X-XSS-Protection", List.of());

  /**
   * Reads the file, not the certificates that it names; throws every problem with file, line and
   * key.
   */
  public static WebConfig read(Path file) throws ConfigException {
    List<String> problems = new ArrayList<>();
    WebConfig config = config(new WebSection(YamlSection.read(file, problems)));
    ConfigException.throwAny(problems);
    return config;
  }

  private static WebConfig config(WebSection top) {
    top.allow("tls_server_config", "http_server_config", "basic_auth_users", "rate_limit");
    Optional<WebSection> http = top.section("http_server_config");
    http.ifPresent(section -> section.allow("http2", "headers"));
    boolean http2 = http.map(section -> section.flag("http2", true)).orElse(true);
    return new WebConfig(
        top.section("tls_server_config").flatMap(section -> TlsSection.read(section, http2)),
        http2,
        http.flatMap(section -> section.section("headers"))
            .map(WebConfig::headers)
            .orElse(Map.of()),
        top.section("basic_auth_users").map(WebConfig::users).orElse(Map.of()),
        top.section("rate_limit").flatMap(WebConfig::rateLimit));
  }

  private static Map<String, String> headers(WebSection section) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (String name : section.keys()) {
      List<String> words = HEADERS.get(name);
      Optional<String> value = section.text(name);
      if (words == null) {
        section.problem(
            name, "this header cannot be set" + SpellingHint.of(name, HEADERS.keySet()));
      } else if (value.isPresent() && !words.isEmpty() && !words.contains(value.get())) {
        section.problem(name, "'" + value.get() + "' is not one of " + String.join(", ", words));
      } else if (value.isPresent() && value.get().chars().anyMatch(c -> c < ' ' || c > '~')) {
        section.problem(name, "contains characters that are not allowed in a header");
      } else {
        value.ifPresent(text -> headers.put(name, text));
      }
    }
    return headers;
  }

  private static Map<String, String> users(WebSection section) {
    Map<String, String> users = new LinkedHashMap<>();
    for (String name : section.keys()) {
      String hash = section.text(name).orElse("");
      if (BCRYPT.matcher(hash).matches()) {
        users.put(name, hash);
      } else {
        // Never repeat the value: it may be a password.
        section.problem(name, "is not a bcrypt hash such as from htpasswd -B: $2y$10$...");
      }
    }
    return users;
  }

  private static Optional<RateLimit> rateLimit(WebSection section) {
    section.allow("interval", "burst");
    Optional<Duration> interval =
        section.text("interval").flatMap(DurationText.GoDurationText::read);
    if (section.text("interval").isPresent() && interval.isEmpty()) {
      section.problem("interval", "is not a duration such as 1s or 500ms");
    }
    String burst = section.text("burst").orElse("0");
    if (!burst.matches("[0-9]{1,9}")) {
      section.problem("burst", "'" + burst + "' is not a whole number of 0 or more");
      return Optional.empty();
    }
    return interval
        .filter(time -> !time.isZero())
        .map(time -> new RateLimit(time, Integer.parseInt(burst)));
  }
}
