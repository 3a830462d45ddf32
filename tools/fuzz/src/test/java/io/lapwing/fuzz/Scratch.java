package io.lapwing.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A folder for readers of files; in memory where that can be had. */
public final class Scratch {

  private static final Path MEMORY = Path.of("/dev/shm");
  private static final Path FOLDER = make();

  private Scratch() {}

  private static Path make() {
    try {
      Path folder =
          Files.isWritable(MEMORY)
              ? Files.createTempDirectory(MEMORY, "lapwing-fuzz")
              : Files.createTempDirectory("lapwing-fuzz");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> remove(folder)));
      return folder;
    } catch (IOException full) {
      throw new UncheckedIOException(full);
    }
  }

  /** A file with that in it, until the next one of that name. */
  public static Path file(String name, byte[] content) throws IOException {
    Path file = FOLDER.resolve(name);
    Files.createDirectories(file.getParent());
    return Files.write(file, content);
  }

  /** An empty folder. */
  public static Path folder(String name) throws IOException {
    Path folder = FOLDER.resolve(name);
    remove(folder);
    return Files.createDirectories(folder);
  }

  private static void remove(Path folder) {
    if (!Files.exists(folder)) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException inUse) {
      throw new UncheckedIOException(inUse);
    }
  }
}
