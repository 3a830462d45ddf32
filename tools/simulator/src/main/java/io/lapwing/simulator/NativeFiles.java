package io.lapwing.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The C libraries for this architecture, from the jar. */
final class NativeFiles {
  private NativeFiles() {}

  static void copy(String name, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    try (InputStream file = open(name)) {
      Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  static String text(String name) throws IOException {
    try (InputStream file = open(name)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static InputStream open(String name) throws IOException {
    String path = "/native/linux-" + System.getProperty("os.arch") + "/" + name;
    InputStream file = NativeFiles.class.getResourceAsStream(path);
    if (file == null) {
      throw new IOException("this build of the simulator has no " + path);
    }
    return file;
  }
}
