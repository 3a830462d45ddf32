package io.lapwing.agent.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths, looked at as far as a mistake can be told from a thing that is not there yet. */
final class PathText {

  private PathText() {}

  /** What is missing may come later, or the agent says that it cannot see it. */
  static Path directory(String text) throws BadValue {
    Path path = path(text);
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new BadValue("is not a directory");
    }
    return path;
  }

  static Path file(String text) throws BadValue {
    Path path = path(text);
    if (Files.isDirectory(path)) {
      throw new BadValue("is a directory, not a file");
    }
    return path;
  }

  static Path readableFile(String text) throws BadValue {
    Path path = file(text);
    if (!Files.exists(path)) {
      throw new BadValue("does not exist");
    }
    if (!Files.isReadable(path)) {
      throw new BadValue("cannot be read: permission denied");
    }
    return path;
  }

  private static Path path(String text) throws BadValue {
    try {
      if (!text.isEmpty()) {
        return Path.of(text);
      }
    } catch (InvalidPathException e) {
      // Said below, as for none.
    }
    throw new BadValue("is not a path");
  }
}
