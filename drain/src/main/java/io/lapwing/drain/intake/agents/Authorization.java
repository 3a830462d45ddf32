package io.lapwing.drain.intake.agents;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;

/** The header {@code Authorization}, from a file that is read for each request. */
@FunctionalInterface
public interface Authorization {

  /** Of an agent without authentication. */
  Authorization NONE = Optional::empty;

  /**
   * Empty if none is needed.
   *
   * @throws IOException if the file cannot be used
   */
  Optional<String> header() throws IOException;

  /** From a file with a token. */
  static Authorization bearer(Path file) {
    return () -> Optional.of("Bearer " + line(file));
  }

  /** From a file with {@code user:password}. */
  static Authorization basic(Path file) {
    return () -> {
      String login = line(file);
      if (!login.contains(":")) {
        throw new IOException(file + ": not user:password");
      }
      byte[] bytes = login.getBytes(StandardCharsets.UTF_8);
      return Optional.of("Basic " + Base64.getEncoder().encodeToString(bytes));
    };
  }

  private static String line(Path file) throws IOException {
    String text = Files.readString(file).strip();
    if (text.isEmpty() || text.length() > 8192 || text.chars().anyMatch(Character::isISOControl)) {
      throw new IOException(file + ": not one line with a secret");
    }
    return text;
  }
}
