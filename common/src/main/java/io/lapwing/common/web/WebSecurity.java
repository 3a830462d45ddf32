package io.lapwing.common.web;

import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.TlsConfig;
import io.lapwing.common.config.WebConfig;
import io.lapwing.common.log.Log;
import io.lapwing.common.web.security.Passwords;
import io.lapwing.common.web.security.RateLimits;
import io.lapwing.common.web.security.TlsServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code --web.config.file} with its keys, reloaded on a change. An invalid file never disables
 * protection: requests get 500; if only a certificate or key is unreadable, the last ones stay.
 */
public final class WebSecurity implements AutoCloseable {
  private static final Log LOG = Log.of(WebSecurity.class);

  /** A comparison takes about a second above this bcrypt cost. */
  private static final int SLOW_COST = 13;

  private final Path file;
  private final Passwords passwords = new Passwords();
  private volatile State state;

  /** The result of a reload; {@code config} is null if invalid, {@code tls} the last valid one. */
  private record State(
      FileFingerprints fingerprints,
      @Nullable WebConfig config,
      Optional<Tls> tls,
      Optional<RateLimits> limits,
      List<String> problems) {}

  /** A TLS configuration and the server context built from it. */
  private record Tls(TlsConfig config, TlsServer server) {}

  private WebSecurity(Path file, State state) {
    this.file = file;
    this.state = state;
  }

  /** Reads the file, certificates and keys; throws all problems. */
  public static WebSecurity open(Path file) throws ConfigException {
    WebConfig config = WebConfig.read(file);
    config.tls().ifPresent(TlsServer::prepare);
    FileFingerprints fingerprints = fingerprints(file, config);
    List<String> problems = new ArrayList<>();
    Optional<Tls> tls = config.tls().flatMap(wanted -> tls(wanted, problems));
    ConfigException.throwAny(problems);
    WebSecurity security =
        new WebSecurity(file, new State(fingerprints, config, tls, limits(config), List.of()));
    security.warn(config);
    return security;
  }

  /** Whether TLS is enabled; fixed at start. */
  boolean encrypted() {
    return state.tls().isPresent();
  }

  /** Whether HTTP/2 is enabled; fixed at start. */
  boolean http2() {
    WebConfig config = state.config();
    return encrypted() && config != null && config.http2();
  }

  /** Whether clients have to identify themselves, or the configuration is invalid. */
  public boolean restricted() {
    WebConfig config = config();
    return config == null
        || !config.users().isEmpty()
        || config.tls().map(tls -> tls.clientAuth().required()).orElse(false);
  }

  Passwords passwords() {
    return passwords;
  }

  TlsServer tls() {
    return current().tls().orElseThrow(() -> new IllegalStateException("TLS is disabled")).server();
  }

  /** The current configuration; null if invalid, and then all requests are refused. */
  @Nullable WebConfig config() {
    return current().config();
  }

  boolean hasRateLimit() {
    return state.limits().isPresent();
  }

  /** Takes a token of this client; true if none is left. */
  boolean rateLimited(Object client) {
    return state.limits().map(limits -> !limits.take(client)).orElse(false);
  }

  private State current() {
    State last = state;
    return last.fingerprints().unchanged() ? last : reload();
  }

  private synchronized State reload() {
    State last = state;
    if (last.fingerprints().unchanged()) {
      return last;
    }
    State next = read(last);
    state = next;
    if (!next.problems().isEmpty() && !next.problems().equals(last.problems())) {
      next.problems()
          .forEach(problem -> LOG.error("web configuration is invalid", "problem", problem));
    } else if (next.problems().isEmpty() && changed(last, next)) {
      LOG.info("web configuration reloaded", "file", file);
    }
    return next;
  }

  private static boolean changed(State last, State next) {
    return !last.problems().isEmpty()
        || !last.fingerprints().files().equals(next.fingerprints().files());
  }

  private State read(State last) {
    try {
      WebConfig config = WebConfig.read(file);
      return read(config, last);
    } catch (ConfigException invalid) {
      return new State(
          FileFingerprints.of(List.copyOf(last.fingerprints().files().keySet())),
          null,
          last.tls(),
          last.limits(),
          invalid.problems());
    }
  }

  private State read(WebConfig config, State last) {
    FileFingerprints fingerprints = fingerprints(file, config);
    List<String> problems = new ArrayList<>();
    if (config.tls().isPresent() != last.tls().isPresent()) {
      problems.add(file + ": tls_server_config: enabling or disabling TLS requires a restart");
      // Newly enabled TLS: keep serving plain HTTP until the restart. Removed TLS: refuse requests.
      return new State(
          fingerprints,
          config.tls().isPresent() ? config : null,
          last.tls(),
          keep(config, last),
          problems);
    }
    Optional<Tls> tls = config.tls().flatMap(wanted -> tls(wanted, problems));
    boolean onlyFiles = config.tls().equals(last.tls().map(Tls::config)) && last.config() != null;
    return new State(
        fingerprints,
        problems.isEmpty() || onlyFiles ? config : null,
        tls.or(last::tls),
        keep(config, last),
        problems);
  }

  private static FileFingerprints fingerprints(Path file, WebConfig config) {
    List<Path> files = new ArrayList<>(config.files());
    files.add(file);
    return FileFingerprints.of(files);
  }

  private static Optional<Tls> tls(TlsConfig config, List<String> problems) {
    return TlsServer.of(config, problems).map(server -> new Tls(config, server));
  }

  private static Optional<RateLimits> keep(WebConfig config, State last) {
    return config.rateLimit().equals(last.limits().map(RateLimits::limit))
        ? last.limits()
        : limits(config);
  }

  private static Optional<RateLimits> limits(WebConfig config) {
    return config.rateLimit().map(limit -> new RateLimits(limit, System::nanoTime));
  }

  /** Logs valid but risky settings. */
  private void warn(WebConfig config) {
    Map<String, Integer> slow = Passwords.slow(config.users(), SLOW_COST);
    slow.forEach(
        (user, cost) ->
            LOG.warn("bcrypt cost is high: each comparison is slow", "user", user, "cost", cost));
    if (Passwords.differ(config.users())) {
      LOG.warn(
          "the bcrypt costs of basic_auth_users differ: response times tell which users exist");
    }
    if (!config.users().isEmpty() && config.tls().isEmpty()) {
      LOG.warn(
          "passwords are sent unencrypted: basic_auth_users without tls_server_config",
          "file",
          file);
    }
    config
        .tls()
        .filter(tls -> tls.clientAuth().verified() && tls.clientCa().isEmpty())
        .ifPresent(
            tls ->
                LOG.warn(
                    "client certificates of any public CA are accepted: client_ca_file is not set",
                    "file",
                    file));
  }

  @Override
  public void close() {
    passwords.close();
  }
}
