package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A folder that stands for /sys or /proc: small files, one value each, ended by a newline as the
 * kernel does.
 */
record KernelTree(Path root) {
  void write(String path, String value) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n", StandardCharsets.UTF_8);
  }

  /** The same by rename, for a file that is read while it changes. */
  void replace(String path, String value) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, value + "\n", StandardCharsets.UTF_8);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** A file, or a folder with nothing in it. */
  void remove(String path) throws IOException {
    Files.deleteIfExists(root.resolve(path));
  }
}
