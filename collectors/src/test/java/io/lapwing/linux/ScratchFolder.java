package io.lapwing.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** A temporary folder for one try of a property; jqwik has none per try. */
public record ScratchFolder(Path path) implements AutoCloseable {

  public static ScratchFolder make() throws IOException {
    return new ScratchFolder(Files.createTempDirectory("lapwing"));
  }

  @Override
  public void close() throws IOException {
    List<Path> deepestFirst;
    try (Stream<Path> all = Files.walk(path)) {
      deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path one : deepestFirst) {
      Files.delete(one);
    }
  }
}
