package io.lapwing.agent.web.security;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.BCrypt.Version;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Compares passwords with hashes {@code $2a$}, {@code $2b$} and {@code $2y$}, which are all one.
 */
final class Bcrypt {
  /** More of a password does not count, in any bcrypt. */
  private static final int MOST_BYTES = 72;

  private Bcrypt() {}

  static boolean matches(byte[] password, String hash) {
    // A password ends with a zero byte, for which the longest have no room.
    Version version =
        password.length < MOST_BYTES ? Version.VERSION_2Y : Version.VERSION_2Y_NO_NULL_TERMINATOR;
    byte[] counts = Arrays.copyOf(password, Math.min(password.length, MOST_BYTES));
    return BCrypt.verifyer(version, LongPasswordStrategies.none())
        .verify(counts, hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }

  /** The 10 of {@code $2y$10$...}: each one more doubles the work. */
  static int cost(String hash) {
    return Integer.parseInt(hash.substring(4, 6));
  }
}
