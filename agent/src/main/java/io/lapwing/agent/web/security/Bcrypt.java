package io.lapwing.agent.web.security;

import at.favre.lib.crypto.bcrypt.BCrypt;
import at.favre.lib.crypto.bcrypt.BCrypt.Version;
import at.favre.lib.crypto.bcrypt.LongPasswordStrategies;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Verifies bcrypt hashes. {@code $2a$}, {@code $2b$} and {@code $2y$} are treated alike. */
final class Bcrypt {
  /** Every bcrypt ignores bytes beyond this. */
  private static final int MAX_BYTES = 72;

  private Bcrypt() {}

  static boolean matches(byte[] password, String hash) {
    // The terminating zero byte counts towards the limit and is dropped for the longest passwords.
    Version version =
        password.length < MAX_BYTES ? Version.VERSION_2Y : Version.VERSION_2Y_NO_NULL_TERMINATOR;
    byte[] counts = Arrays.copyOf(password, Math.min(password.length, MAX_BYTES));
    return BCrypt.verifyer(version, LongPasswordStrategies.none())
        .verify(counts, hash.getBytes(StandardCharsets.US_ASCII))
        .verified;
  }

  /** The 10 of {@code $2y$10$...}: each increment doubles the work. */
  static int cost(String hash) {
    return Integer.parseInt(hash.substring(4, 6));
  }
}
