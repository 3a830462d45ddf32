package io.lapwing.stack;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds installed programs. */
final class Programs {

  private Programs() {}

  /** The first of these names in {@code PATH} or in the folders of daemons. */
  static Optional<Path> find(String... names) {
    String path = Optional.ofNullable(System.getenv("PATH")).orElse("");
    return Arrays.stream(names)
        .flatMap(
            name ->
                Stream.concat(
                        Arrays.stream(path.split(File.pathSeparator)),
                        Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin"))
                    .filter(folder -> !folder.isEmpty())
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }
}
