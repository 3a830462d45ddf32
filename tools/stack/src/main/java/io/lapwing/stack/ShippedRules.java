package io.lapwing.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The rules of this repository, as a site takes them over: with runbooks of its own. */
public final class ShippedRules {

  /** Where the files say that the runbooks are; documented as what a site replaces. */
  private static final String RUNBOOKS = "https://lapwing.example/runbooks/";

  private ShippedRules() {}

  /**
   * Copies all rule files.
   *
   * @param from {@code alert-rules/} of a clone
   * @param to an existing folder
   * @param runbooks what the address of each runbook begins with, up to its name
   * @return the copies, by name
   * @throws UncheckedIOException where one cannot be read or written
   */
  public static List<Path> copy(Path from, Path to, String runbooks) {
    try (Stream<Path> files = Files.list(from)) {
      return files
          .filter(file -> file.toString().endsWith(".yml"))
          .sorted()
          .map(file -> copyOne(file, to.resolve(file.getFileName()), runbooks))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path copyOne(Path from, Path to, String runbooks) {
    try {
      return Files.writeString(to, Files.readString(from).replace(RUNBOOKS, runbooks));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
