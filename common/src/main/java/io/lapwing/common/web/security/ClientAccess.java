package io.lapwing.common.web.security;

import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.config.ClientConfig.Login;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.TlsConfig.PemSource;
import io.lapwing.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/**
 * TLS (empty for Java's default) and credentials. {@code anyName} skips the host name check: the
 * certificate itself is known.
 */
public record ClientAccess(Optional<SSLSocketFactory> tls, boolean anyName, Optional<Login> login) {

  private static final String UNUSABLE = "Java cannot use these certificates: ";

  /** For a server without authentication. */
  public static final ClientAccess OPEN =
      new ClientAccess(Optional.empty(), false, Optional.empty());

  public static ClientAccess of(ClientConfig config) throws ConfigException {
    List<String> problems = new ArrayList<>();
    List<X509Certificate> authorities = authorities(config, problems);
    Optional<Identity> identity = identity(config, problems);
    return access(authorities, identity, false, config.login(), problems);
  }

  /** The TLS of a configuration, for clients that take a context. */
  public static SSLContext context(ClientConfig config) throws ConfigException {
    List<String> problems = new ArrayList<>();
    List<X509Certificate> authorities = authorities(config, problems);
    Optional<Identity> identity = identity(config, problems);
    ConfigException.throwAny(problems);
    try {
      return TlsClient.context(authorities, identity);
    } catch (GeneralSecurityException e) {
      throw new ConfigException(List.of(UNUSABLE + e.getMessage()));
    }
  }

  private static List<X509Certificate> authorities(ClientConfig config, List<String> problems) {
    return config
        .ca()
        .flatMap(ca -> Identity.read(ca, PemBlock::certificates, problems))
        .orElse(List.of());
  }

  private static Optional<Identity> identity(ClientConfig config, List<String> problems) {
    return config
        .certificate()
        .flatMap(
            certificate -> config.key().flatMap(key -> Identity.read(certificate, key, problems)));
  }

  /** For a server of this machine: accepts exactly this certificate. */
  public static ClientAccess toCertificate(PemSource certificate) throws ConfigException {
    List<String> problems = new ArrayList<>();
    List<X509Certificate> known =
        Identity.read(certificate, PemBlock::certificates, problems).orElse(List.of());
    return access(
        known.stream().limit(1).toList(), Optional.empty(), true, Optional.empty(), problems);
  }

  private static ClientAccess access(
      List<X509Certificate> authorities,
      Optional<Identity> identity,
      boolean anyName,
      Optional<Login> login,
      List<String> problems)
      throws ConfigException {
    try {
      if (problems.isEmpty()) {
        return new ClientAccess(Optional.of(TlsClient.of(authorities, identity)), anyName, login);
      }
    } catch (GeneralSecurityException e) {
      problems.add(UNUSABLE + e.getMessage());
    }
    throw new ConfigException(problems);
  }

  /** The request with what this server needs. */
  public HttpRequest secured(HttpRequest plain) {
    HttpRequest encrypted =
        tls.map(factory -> plain.with(new HttpRequest.Tls(factory, anyName))).orElse(plain);
    return login.map(known -> encrypted.with("Authorization", basic(known))).orElse(encrypted);
  }

  /** The value of the header {@code Authorization}. */
  public static String basic(Login login) {
    byte[] pair = (login.user() + ":" + login.password()).getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(pair);
  }
}
