package io.lapwing.stack;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The shipped rules with another runbook URL and without dashboards, as a site installs them. */
public final class ShippedRules {

  /** The runbook URL in the files, which sites replace as documented. */
  private static final String RUNBOOKS = "https://lapwing.example/runbooks/";

  /** There is no Grafana. */
  private static final Pattern DASHBOARD = Pattern.compile("(?m)^ *dashboard_url: .*\n");

  private ShippedRules() {}

  /**
   * Copies all rule files.
   *
   * @param from {@code alert-rules/} of a clone
   * @param to an existing folder
   * @param runbooks base URL of the runbooks
   * @return the copies, by name
   * @throws UncheckedIOException if a file cannot be read or written
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
      String rules = Files.readString(from).replace(RUNBOOKS, runbooks);
      return Files.writeString(to, DASHBOARD.matcher(rules).replaceAll(""));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
