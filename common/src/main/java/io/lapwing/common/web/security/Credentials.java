package io.lapwing.common.web.security;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A user and password; in bytes, because HTTP basic authentication declares no character set. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record Credentials(String user, byte[] password) {
  private static final String SCHEME = "basic ";

  /** Parses {@code Authorization: Basic ...}; empty if absent or malformed. */
  public static Optional<Credentials> of(@Nullable String header) {
    if (header == null || !header.toLowerCase(Locale.ROOT).startsWith(SCHEME)) {
      return Optional.empty();
    }
    byte[] pair;
    try {
      pair = Base64.getDecoder().decode(header.substring(SCHEME.length()).strip());
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    for (int i = 0; i < pair.length; i++) {
      if (pair[i] == ':') {
        return Optional.of(
            new Credentials(
                new String(pair, 0, i, StandardCharsets.UTF_8),
                Arrays.copyOfRange(pair, i + 1, pair.length)));
      }
    }
    return Optional.empty();
  }

  /** Omits the password. */
  @Override
  public String toString() {
    return "Credentials[" + user + "]";
  }
}
