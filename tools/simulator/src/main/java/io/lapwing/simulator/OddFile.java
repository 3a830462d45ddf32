package io.lapwing.simulator;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * A replacement of a file in /sys, because plain files can neither fail nor block: a folder
 * (reading fails), a FIFO without a writer (opening blocks), a file without read permission, or
 * other text.
 */
final class OddFile {
  private OddFile() {}

  static void write(Path path, String what) throws IOException {
    if (Files.exists(path)) {
      return;
    }
    switch (what) {
      case "missing" -> {}
      case "directory" -> Files.createDirectories(path);
      case "fifo" -> makeFifo(path);
      case "unreadable" ->
          Files.createFile(
              path,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("---------")));
      default -> Files.writeString(path, what.isEmpty() ? "" : what + "\n", StandardCharsets.UTF_8);
    }
  }

  /** Java cannot create a FIFO. */
  private static void makeFifo(Path path) throws IOException {
    Process mkfifo = new ProcessBuilder("mkfifo", path.toString()).inheritIO().start();
    try {
      if (mkfifo.waitFor() != 0) {
        throw new IOException("mkfifo " + path + " ended with " + mkfifo.exitValue());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException("stopped while mkfifo ran", stopped);
    }
  }
}
