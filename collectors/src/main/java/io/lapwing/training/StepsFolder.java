package io.lapwing.training;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of the step files in a folder that anybody may write to. Whether one came or went the
 * folder's own time tells, which costs next to nothing to ask; a file that is only written to does
 * not move it.
 */
final class StepsFolder {

  static final String SUFFIX = ".steps";

  /** So many names are looked at, whatever they are. */
  static final int MOST_NAMES = 12_000;

  /** Clocks of file systems are coarse: a second change may come within the same tick. */
  private static final long TICK_MILLIS = 1000;

  private final Path path;
  private @Nullable Object state;
  private boolean settled;

  /**
   * A folder as far as it was listed.
   *
   * @param odd step files with names that no writer gives
   * @param all whether nothing was left out
   */
  record Names(Set<String> steps, int odd, boolean all) {}

  /** Which folder it was, and when it changed. */
  private record State(@Nullable Object key, FileTime time) {}

  StepsFolder(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /**
   * Whether names may have come or gone since this was asked last.
   *
   * @throws NoSuchFileException where there is no such folder
   */
  boolean changed() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    State now = new State(attributes.fileKey(), attributes.lastModifiedTime());
    boolean changed = !settled || !Objects.equals(now, state);
    state = now;
    settled = Math.abs(System.currentTimeMillis() - now.time().toMillis()) > TICK_MILLIS;
    return changed;
  }

  /** Forgets when it was looked at. */
  void unsettle() {
    settled = false;
  }

  Names names() throws IOException {
    Set<String> steps = new LinkedHashSet<>();
    int seen = 0;
    int odd = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        if (seen == MOST_NAMES) {
          return new Names(steps, odd, false);
        }
        seen++;
        String name = entry.getFileName().toString();
        if (name.endsWith(SUFFIX) && !name.startsWith(".")) {
          if (isPlain(name)) {
            steps.add(name);
          } else {
            odd++;
          }
        }
      }
      return new Names(steps, odd, true);
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
  }

  /** Other bytes need not survive the way to a string and back, which depends on the locale. */
  private static boolean isPlain(String name) {
    return name.chars().allMatch(character -> character > ' ' && character <= '~');
  }
}
