package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The names of the files that a process has mapped, from {@code /proc/PID/maps}: its libraries. The
 * kernel shows the file only to a reader that may trace the process: its own user, or {@code
 * CAP_SYS_PTRACE}. A process of PyTorch has some thousand lines.
 *
 * <pre>
 * 7f1c80000000-7f1c80400000 r-xp 00000000 103:05 4194310                  /opt/amazon/efa/lib/libfabric.so.1.26.0
 * </pre>
 */
final class MappedFiles {

  private static final int MAX_LINES = 200_000;
  private static final int MAX_NAMES = 64;

  /** Columns before the path: addresses, permissions, offset, device, inode. */
  private static final int COLUMNS = 5;

  private MappedFiles() {}

  /** The wanted last components of paths, at most 64; also of files that were deleted since. */
  static Reading<Set<String>> of(Path maps, Predicate<String> wanted) {
    try (InputStream in = Files.newInputStream(maps)) {
      return Reading.of(read(new BoundedLines(in), wanted));
    } catch (IOException failed) {
      return FileFailure.reading(maps.toString(), failed);
    }
  }

  private static Set<String> read(BoundedLines lines, Predicate<String> wanted) throws IOException {
    Set<String> names = new TreeSet<>();
    String last = "";
    for (int i = 0; i < MAX_LINES && names.size() < MAX_NAMES && lines.next(); i++) {
      String path = path(lines.text());
      // The parts of a library follow each other.
      if (!path.equals(last)) {
        last = path;
        String name = path.substring(path.lastIndexOf('/') + 1);
        if (!name.isEmpty() && wanted.test(name)) {
          names.add(name);
        }
      }
    }
    return names;
  }

  /** Empty for memory that belongs to no file; the kernel escapes line feeds in names. */
  private static String path(String line) {
    int at = 0;
    for (int column = 0; column < COLUMNS; column++) {
      int end = line.indexOf(' ', at);
      if (end < 0) {
        return "";
      }
      at = end + 1;
    }
    String rest = line.substring(at).strip();
    String deleted = " (deleted)";
    return rest.endsWith(deleted) ? rest.substring(0, rest.length() - deleted.length()) : rest;
  }
}
