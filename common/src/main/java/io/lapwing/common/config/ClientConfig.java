package io.lapwing.common.config;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Credentials for an agent with a web configuration. The file of {@code lapwing check
 * --http.config.file} has a subset of the format of promtool's option of that name:
 *
 * <pre>{@code
 * tls_config: {ca_file: ca.crt, cert_file: me.crt, key_file: me.key}
 * basic_auth: {username: prometheus, password_file: password}
 * }</pre>
 */
public record ClientConfig(
    Optional<TlsConfig.PemSource> ca,
    Optional<TlsConfig.PemSource> certificate,
    Optional<TlsConfig.PemSource> key,
    Optional<Login> login) {

  public record Login(String user, String password) {

    /** Omits the password. */
    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }

  /** Reads the file; throws every problem with file, line and key. */
  public static ClientConfig read(Path file) throws ConfigException {
    List<String> problems = new ArrayList<>();
    WebSection top = new WebSection(YamlSection.read(file, problems));
    top.allow("tls_config", "basic_auth");
    Optional<WebSection> tls = top.section("tls_config");
    tls.ifPresent(
        section -> section.allow("ca", "ca_file", "cert", "cert_file", "key", "key_file"));
    ClientConfig config =
        new ClientConfig(
            tls.flatMap(section -> section.pem("ca", "ca_file")),
            tls.flatMap(section -> section.pem("cert", "cert_file")),
            tls.flatMap(section -> section.pem("key", "key_file")),
            top.section("basic_auth").flatMap(ClientConfig::login));
    if (config.certificate().isPresent() != config.key().isPresent()) {
      top.problem("tls_config", "cert_file and key_file must be set together");
    }
    ConfigException.throwAny(problems);
    return config;
  }

  private static Optional<Login> login(WebSection section) {
    section.allow("username", "password", "password_file");
    Optional<String> user = section.text("username");
    Optional<TlsConfig.PemSource> password = section.pem("password", "password_file");
    if (user.isEmpty() || password.isEmpty()) {
      section.problem("username", "username and password_file must be set together");
      return Optional.empty();
    }
    try {
      // Strip the newline that editors add; it is not part of the password.
      return Optional.of(new Login(user.get(), password.get().read().strip()));
    } catch (IOException e) {
      section.problem("password_file", "cannot be read: " + e.getMessage());
      return Optional.empty();
    }
  }
}
