package io.lapwing.drain.slurm;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** Recorded answers of Slurm: ORIGIN.md beside them says from where. */
final class Fixtures {

  private Fixtures() {}

  static String text(String name) throws IOException {
    try (InputStream file = Objects.requireNonNull(Fixtures.class.getResourceAsStream(name))) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  static List<String> lines(String name) throws IOException {
    return text(name).lines().toList();
  }
}
