package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary folder for logs and fixtures; kept when something failed, so that one can look. */
public record ScratchFolder(Path path) {

  /** Makes one. */
  public static ScratchFolder create(String name) throws IOException {
    return new ScratchFolder(Files.createTempDirectory(name));
  }

  /** Removes it with everything in it. */
  public void delete() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
