package io.lapwing.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A temporary folder for logs and fixtures. */
public record ScratchFolder(Path path) {

  /** A benchmark that needs a folder. */
  public interface Run {
    void in(Path folder) throws IOException, InterruptedException;
  }

  /** Runs a benchmark. If it fails, the folder is kept and this process exits with 1. */
  public static void use(String name, Run run) throws IOException, InterruptedException {
    ScratchFolder folder = create(name);
    try {
      run.in(folder.path());
      folder.delete();
    } catch (IOException failure) {
      System.err.println("bench: " + failure.getMessage());
      System.err.println("bench: logs are in " + folder.path());
      System.exit(1);
    }
  }

  public static ScratchFolder create(String name) throws IOException {
    return new ScratchFolder(Files.createTempDirectory(name));
  }

  /** Deletes it with its content. */
  public void delete() throws IOException {
    try (Stream<Path> files = Files.walk(path)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
