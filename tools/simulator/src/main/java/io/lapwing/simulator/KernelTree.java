package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A folder in place of /sys or /proc: small files with one value and a newline, as the kernel
 * writes them.
 */
record KernelTree(Path root) {
  void write(String path, String value) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, value + "\n", StandardCharsets.UTF_8);
  }

  /** As {@link #write}, but by rename, for files that are read while they change. */
  void replace(String path, String value) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, value + "\n", StandardCharsets.UTF_8);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }

  /** Removes a file or an empty folder. */
  void remove(String path) throws IOException {
    Files.deleteIfExists(root.resolve(path));
  }
}
