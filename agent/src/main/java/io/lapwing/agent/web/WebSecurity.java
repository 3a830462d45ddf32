package io.lapwing.agent.web;

import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.TlsConfig;
import io.lapwing.agent.config.WebConfig;
import io.lapwing.agent.config.WebFile;
import io.lapwing.agent.log.Log;
import io.lapwing.agent.web.security.Passwords;
import io.lapwing.agent.web.security.TlsServer;
import io.lapwing.agent.web.security.TokenBucket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The file behind {@code --web.config.file} and what it names, as they are at each request and each
 * handshake.
 *
 * <p>What was right at start and is wrong now never opens what was closed: without a readable file
 * every request is answered 500; where only a certificate or key cannot be read, as for a moment
 * while they are replaced, the last ones stay.
 */
public final class WebSecurity implements AutoCloseable {
  private static final Log LOG = Log.of(WebSecurity.class);

  /** Hashing takes most of a second from here on. */
  private static final int DEAR_COST = 13;

  private final Path file;
  private final Passwords passwords = new Passwords();
  private volatile State state;

  /**
   * What was read.
   *
   * @param config null where it is wrong
   * @param tls the last good one
   */
  private record State(
      FileFingerprints marks,
      @Nullable WebConfig config,
      Optional<Tls> tls,
      Optional<TokenBucket> bucket,
      List<String> problems) {}

  /** A configuration and what came of it. */
  private record Tls(TlsConfig config, TlsServer server) {}

  private WebSecurity(Path file, State state) {
    this.file = file;
    this.state = state;
  }

  /**
   * Reads the file and what it names.
   *
   * @throws ConfigException with every problem there is
   */
  public static WebSecurity open(Path file) throws ConfigException {
    WebConfig config = WebFile.read(file);
    config.tls().ifPresent(TlsServer::prepare);
    FileFingerprints marks = marks(file, config);
    List<String> problems = new ArrayList<>();
    Optional<Tls> tls = config.tls().flatMap(wanted -> tls(wanted, problems));
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    WebSecurity security =
        new WebSecurity(file, new State(marks, config, tls, bucket(config), List.of()));
    security.advise(config);
    return security;
  }

  /** Whether connections are encrypted, which is settled at start. */
  boolean encrypted() {
    return state.tls().isPresent();
  }

  /** Whether HTTP/2 is spoken, which is settled at start. */
  boolean http2() {
    WebConfig config = state.config();
    return encrypted() && config != null && config.http2();
  }

  Passwords passwords() {
    return passwords;
  }

  /** For a handshake. */
  TlsServer tls() {
    return now().tls().orElseThrow(() -> new IllegalStateException("there is no TLS")).server();
  }

  /** What holds for a request; null where the file is wrong and nobody is to be answered. */
  @Nullable WebConfig config() {
    return now().config();
  }

  /** Whether a request is one too many. */
  boolean crowded() {
    return state.bucket().map(bucket -> !bucket.take()).orElse(false);
  }

  private State now() {
    State last = state;
    return last.marks().hold() ? last : readAnew();
  }

  private synchronized State readAnew() {
    State last = state;
    if (last.marks().hold()) {
      return last;
    }
    State next = read(last);
    state = next;
    if (!next.problems().isEmpty() && !next.problems().equals(last.problems())) {
      next.problems().forEach(problem -> LOG.error("web configuration", "problem", problem));
    } else if (next.problems().isEmpty() && changed(last, next)) {
      LOG.info("web configuration read anew", "file", file);
    }
    return next;
  }

  private static boolean changed(State last, State next) {
    return !last.problems().isEmpty() || !last.marks().files().equals(next.marks().files());
  }

  private State read(State last) {
    try {
      WebConfig config = WebFile.read(file);
      return read(config, last);
    } catch (ConfigException wrong) {
      return new State(
          FileFingerprints.of(List.copyOf(last.marks().files().keySet())),
          null,
          last.tls(),
          last.bucket(),
          wrong.problems());
    }
  }

  private State read(WebConfig config, State last) {
    FileFingerprints marks = marks(file, config);
    List<String> problems = new ArrayList<>();
    if (config.tls().isPresent() != last.tls().isPresent()) {
      problems.add(
          file + ": tls_server_config: TLS is switched on and off by a restart of the agent only");
      // Who wants TLS and has none yet is served as before; who had it is not served in the clear.
      return new State(
          marks,
          config.tls().isPresent() ? config : null,
          last.tls(),
          keep(config, last),
          problems);
    }
    Optional<Tls> tls = config.tls().flatMap(wanted -> tls(wanted, problems));
    boolean onlyFiles = config.tls().equals(last.tls().map(Tls::config)) && last.config() != null;
    return new State(
        marks,
        problems.isEmpty() || onlyFiles ? config : null,
        tls.or(last::tls),
        keep(config, last),
        problems);
  }

  private static FileFingerprints marks(Path file, WebConfig config) {
    List<Path> files = new ArrayList<>(config.files());
    files.add(file);
    return FileFingerprints.of(files);
  }

  private static Optional<Tls> tls(TlsConfig config, List<String> problems) {
    return TlsServer.of(config, problems).map(server -> new Tls(config, server));
  }

  private static Optional<TokenBucket> keep(WebConfig config, State last) {
    return config.rateLimit().equals(last.bucket().map(TokenBucket::limit))
        ? last.bucket()
        : bucket(config);
  }

  private static Optional<TokenBucket> bucket(WebConfig config) {
    return config.rateLimit().map(limit -> new TokenBucket(limit, System::nanoTime));
  }

  /** What is allowed and yet hardly meant. */
  private void advise(WebConfig config) {
    Map<String, Integer> dear = Passwords.slow(config.users(), DEAR_COST);
    dear.forEach(
        (user, cost) ->
            LOG.warn("this user's bcrypt hash takes long to compare", "user", user, "cost", cost));
    if (!config.users().isEmpty() && config.tls().isEmpty()) {
      LOG.warn("passwords travel in the clear: there are users and no TLS", "file", file);
    }
    config
        .tls()
        .filter(tls -> tls.clientAuth().verified() && tls.clientCa().isEmpty())
        .ifPresent(
            tls ->
                LOG.warn(
                    "clients of every public authority are let in: there is no client_ca_file",
                    "file",
                    file));
  }

  @Override
  public void close() {
    passwords.close();
  }
}
