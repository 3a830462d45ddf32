package io.lapwing.agent.web;

import at.favre.lib.crypto.bcrypt.BCrypt;
import java.nio.charset.StandardCharsets;

/** Bcrypt hashes of the lowest cost. */
public final class MadeHashes {

  private MadeHashes() {}

  /**
   * Hashes a password.
   *
   * @param version {@code 2a}, {@code 2b} or {@code 2y}
   */
  public static String of(String password, String version) {
    byte[] hash =
        BCrypt.with(BCrypt.Version.VERSION_2Y).hash(4, password.getBytes(StandardCharsets.UTF_8));
    return "$" + version + new String(hash, StandardCharsets.US_ASCII).substring(3);
  }
}
