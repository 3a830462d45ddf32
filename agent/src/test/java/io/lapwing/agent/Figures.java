package io.lapwing.agent;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What was measured beside a fault, kept for the documents; no test fails for being slow. */
final class Figures {

  private Figures() {}

  /** Notes names and values, in turn. */
  static void keep(String fault, Object... figures) throws IOException {
    StringBuilder line = new StringBuilder("==");
    for (int i = 0; i + 1 < figures.length; i += 2) {
      line.append(' ').append(figures[i]).append(": ").append(figures[i + 1]).append(';');
    }
    Path folder = Files.createDirectories(Path.of("target", "faults"));
    Files.writeString(
        folder.resolve(fault + ".txt"),
        line.append('\n'),
        StandardOpenOption.CREATE,
        StandardOpenOption.APPEND);
  }
}
