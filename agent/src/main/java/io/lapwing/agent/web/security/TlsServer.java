package io.lapwing.agent.web.security;

import io.lapwing.agent.config.TlsConfig;
import io.lapwing.agent.config.TlsConfig.Version;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** Creates server-side TLS engines for one configuration. */
public final class TlsServer {
  /** Resumable sessions; each takes a few kilobytes with a client certificate. */
  private static final int MAX_SESSIONS = 256;

  private static final int SESSION_SECONDS = 3600;

  private final SSLContext context;
  private final SSLParameters parameters;
  private final Identity identity;

  private TlsServer(SSLContext context, SSLParameters parameters, Identity identity) {
    this.context = context;
    this.parameters = parameters;
    this.identity = identity;
  }

  /** Must be called before the first use of TLS in this process. */
  public static void prepare(TlsConfig config) {
    Curves.prepare(config.curves());
  }

  /**
   * Reads certificates and keys.
   *
   * @param problems receives a line per problem
   * @return empty after a problem
   */
  public static Optional<TlsServer> of(TlsConfig config, List<String> problems) {
    Optional<Identity> identity = Identity.read(config.certificate(), config.key(), problems);
    Optional<List<X509Certificate>> authorities =
        config.clientCa().isEmpty()
            ? Optional.of(List.of())
            : Identity.read(config.clientCa().get(), Certificates::read, problems);
    if (identity.isEmpty() || authorities.isEmpty()) {
      return Optional.empty();
    }
    return of(config, identity.get(), authorities.get(), problems);
  }

  private static Optional<TlsServer> of(
      TlsConfig config,
      Identity identity,
      List<X509Certificate> authorities,
      List<String> problems) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          new KeyManager[] {new OneIdentity(identity)},
          new TrustManager[] {trust(config, authorities)},
          null);
      context.getServerSessionContext().setSessionCacheSize(MAX_SESSIONS);
      context.getServerSessionContext().setSessionTimeout(SESSION_SECONDS);
      SSLParameters parameters = parameters(config, context, problems);
      return problems.isEmpty()
          ? Optional.of(new TlsServer(context, parameters, identity))
          : Optional.empty();
    } catch (GeneralSecurityException e) {
      problems.add(config.certificate().place() + ": not usable by Java: " + e.getMessage());
      return Optional.empty();
    }
  }

  private static TrustManager trust(TlsConfig config, List<X509Certificate> authorities)
      throws GeneralSecurityException {
    Optional<X509ExtendedTrustManager> trust =
        config.clientAuth().verified()
            ? Optional.of(ClientTrust.authorities(authorities))
            : Optional.empty();
    return new ClientTrust(trust, new AllowedNames(config.allowedSans()));
  }

  private static SSLParameters parameters(
      TlsConfig config, SSLContext context, List<String> problems) {
    SSLParameters parameters = context.getDefaultSSLParameters();
    parameters.setProtocols(versions(config));
    parameters.setCipherSuites(cipherSuites(config, context, problems));
    parameters.setUseCipherSuitesOrder(config.serverPrefers());
    if (config.clientAuth().required()) {
      parameters.setNeedClientAuth(true);
    } else if (config.clientAuth().requested()) {
      parameters.setWantClientAuth(true);
    }
    Curves.use(config.curves(), parameters);
    if (!Curves.applicable(config.curves())) {
      problems.add(
          "tls_server_config.curve_preferences: changes require a restart with this Java version");
    }
    return parameters;
  }

  /** Java disables versions before TLS 1.2. */
  private static String[] versions(TlsConfig config) {
    return Arrays.stream(Version.values())
        .filter(version -> version.compareTo(Version.TLS12) >= 0)
        .filter(version -> version.compareTo(config.min()) >= 0)
        .filter(version -> version.compareTo(config.max()) <= 0)
        .map(Version::java)
        .toArray(String[]::new);
  }

  /** As in Go, the setting applies to TLS 1.2 only; all TLS 1.3 suites stay enabled. */
  private static String[] cipherSuites(
      TlsConfig config, SSLContext context, List<String> problems) {
    SSLParameters defaults = context.getDefaultSSLParameters();
    if (config.cipherSuites().isEmpty()) {
      return defaults.getCipherSuites();
    }
    Set<String> known = Set.of(context.getSupportedSSLParameters().getCipherSuites());
    List<String> chosen = new ArrayList<>();
    for (String suite : defaults.getCipherSuites()) {
      if (ofTls13(suite)) {
        chosen.add(suite);
      }
    }
    for (String suite : config.cipherSuites()) {
      if (ofTls13(suite)) {
        continue;
      }
      if (known.contains(suite)) {
        chosen.add(suite);
      } else {
        problems.add(
            "tls_server_config.cipher_suites: Java "
                + Runtime.version()
                + " does not support "
                + suite);
      }
    }
    return chosen.toArray(String[]::new);
  }

  private static boolean ofTls13(String suite) {
    return !suite.contains("_WITH_") && suite.matches("TLS_(AES|CHACHA20)_.*");
  }

  /** A new engine for a connection. */
  public SSLEngine engine() {
    SSLEngine engine = context.createSSLEngine();
    engine.setUseClientMode(false);
    engine.setSSLParameters(parameters);
    return engine;
  }

  public SSLContext context() {
    return context;
  }

  public X509Certificate certificate() {
    return identity.chain().get(0);
  }
}
