package io.lapwing.agent.config;

import java.util.Optional;

/**
 * How to ask an agent that does not let everybody in.
 *
 * @param ca whose certificates the agent may have; none takes the authorities that Java knows
 * @param certificate of the client, with its {@code key}
 */
public record ClientConfig(
    Optional<PemSource> ca,
    Optional<PemSource> certificate,
    Optional<PemSource> key,
    Optional<Login> login) {

  /** A user and a password. */
  public record Login(String user, String password) {

    /** Without the password. */
    @Override
    public String toString() {
      return "Login[" + user + "]";
    }
  }
}
