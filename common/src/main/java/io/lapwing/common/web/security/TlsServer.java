package io.lapwing.common.web.security;

import io.lapwing.common.config.TlsConfig;
import io.lapwing.common.config.TlsConfig.Curve;
import io.lapwing.common.config.TlsConfig.Version;
import io.lapwing.common.web.security.ClientTrust.AllowedNames;
import java.lang.reflect.Method;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

  /** Reads certificates and keys; empty after a problem. */
  public static Optional<TlsServer> of(TlsConfig config, List<String> problems) {
    Optional<Identity> identity = Identity.read(config.certificate(), config.key(), problems);
    Optional<List<X509Certificate>> authorities =
        config.clientCa().isEmpty()
            ? Optional.of(List.of())
            : Identity.read(config.clientCa().get(), PemBlock::certificates, problems);
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
          new KeyManager[] {identity.keyManager()},
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

  /**
   * Key exchange groups: per connection since Java 20, before once per process from a system
   * property.
   */
  static final class Curves {
    private static final String PROPERTY = "jdk.tls.namedGroups";
    private static final int PER_CONNECTION_SINCE = 20;

    private Curves() {}

    /** Must be called before the first use of TLS in this process. */
    static void prepare(List<Curve> curves) {
      if (!perConnection() && !curves.isEmpty() && System.getProperty(PROPERTY) == null) {
        System.setProperty(PROPERTY, text(curves));
      }
    }

    /** Whether these curves can take effect without a restart. */
    static boolean applicable(List<Curve> curves) {
      return perConnection()
          || curves.isEmpty()
          || text(curves).equals(System.getProperty(PROPERTY));
    }

    static void use(List<Curve> curves, SSLParameters parameters) {
      if (!perConnection() || curves.isEmpty()) {
        return;
      }
      try {
        // Reflection: the agent is compiled for Java 17.
        Method groups = SSLParameters.class.getMethod("setNamedGroups", String[].class);
        groups.invoke(parameters, (Object) curves.stream().map(Curve::java).toArray(String[]::new));
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("SSLParameters.setNamedGroups is missing", e);
      }
    }

    private static boolean perConnection() {
      return Runtime.version().feature() >= PER_CONNECTION_SINCE;
    }

    private static String text(List<Curve> curves) {
      return curves.stream().map(Curve::java).collect(Collectors.joining(","));
    }
  }
}
