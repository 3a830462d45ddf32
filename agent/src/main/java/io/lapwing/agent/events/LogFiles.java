package io.lapwing.agent.events;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The files of a log.
 *
 * <pre>
 * events-000007.jsonl   older ones, numbered in the order of their start
 * events-000008.jsonl
 * events.jsonl          the current one
 * events.jsonl.next     the next one, while its snapshot is written
 * lock
 * </pre>
 */
record LogFiles(Path directory) {
  private static final Pattern OLDER = Pattern.compile("events-[0-9]{1,15}\\.jsonl");

  /** Leading zeros keep the names in order for the shell, too. */
  private static final int DIGITS = 6;

  Path current() {
    return directory.resolve("events.jsonl");
  }

  Path next() {
    return directory.resolve("events.jsonl.next");
  }

  Path lock() {
    return directory.resolve("lock");
  }

  /** The older files, oldest first; none if the directory is missing. */
  List<Path> older() throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(directory)) {
      return all.filter(LogFiles::isOlder)
          .sorted(Comparator.comparingLong(LogFiles::number))
          .toList();
    }
  }

  /** The next name for the current file. */
  Path afterNewest(List<Path> older) {
    long number = older.isEmpty() ? 1 : number(older.get(older.size() - 1)) + 1;
    String digits = Long.toString(number);
    String zeros = "0".repeat(Math.max(0, DIGITS - digits.length()));
    return directory.resolve("events-" + zeros + digits + ".jsonl");
  }

  private static boolean isOlder(Path file) {
    return OLDER.matcher(file.getFileName().toString()).matches();
  }

  private static long number(Path file) {
    String name = file.getFileName().toString();
    return Long.parseLong(name.substring("events-".length(), name.length() - ".jsonl".length()));
  }
}
