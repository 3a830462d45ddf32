package io.lapwing.agent.config;

import java.util.Optional;

/**
 * Credentials for an agent with a web configuration.
 *
 * @param ca issuers of accepted server certificates; empty for Java's default trust store
 * @param certificate the client certificate, present together with {@code key}
 */
public record ClientConfig(
    Optional<PemSource> ca,
    Optional<PemSource> certificate,
    Optional<PemSource> key,
    Optional<Login> login) {

  /** Basic authentication. */
  public record Login(String user, String password) {

    /** Omits the password. */
    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }
}
