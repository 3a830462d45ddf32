package io.lapwing.agent;

import java.nio.file.Path;

/** Recordings of real machines, which lie beside the repository where there are any. */
public final class Recorded {

  private Recorded() {}

  /** Readable only where the recordings are there. */
  public static Path file(String name) {
    Path above = Path.of("..", "..").toAbsolutePath().normalize();
    java.io.File[] beside = above.toFile().listFiles();
    if (beside != null) {
      for (java.io.File folder : beside) {
        Path found = folder.toPath().resolve("recorded").resolve(name);
        if (found.toFile().canRead()) {
          return found;
        }
      }
    }
    return above.resolve("recorded").resolve(name);
  }
}
