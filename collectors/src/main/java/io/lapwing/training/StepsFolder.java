package io.lapwing.training;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The names of the step files in a world-writable folder. The folder's modification time shows at
 * next to no cost whether one came or went; writing to a file does not change it.
 */
final class StepsFolder {

  static final String SUFFIX = ".steps";

  /** Step files that are listed at most: as many as the folder's own file system has inodes. */
  static final int MAX_NAMES = 16_384;

  /** A writer's name has at most 64 characters of the job, and three numbers. */
  private static final int MAX_LENGTH = 128;

  /** Names of any kind, so that a listing ends; reading so many takes half a second. */
  private static final int MAX_EXAMINED = 1_000_000;

  /** File system timestamps are coarse: a second change may have the same one. */
  private static final long TICK_MILLIS = 1000;

  private final Path path;
  private @Nullable Object state;
  private boolean settled;

  /** The step files, how many have names that no writer uses, and whether these are all. */
  record Names(Set<String> steps, int odd, boolean all) {}

  /** Identity and modification time of the folder. */
  private record State(@Nullable Object key, FileTime time) {}

  StepsFolder(Path path) {
    this.path = path;
  }

  Path path() {
    return path;
  }

  /** Whether names may have changed since the last call. */
  boolean changed() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    State now = new State(attributes.fileKey(), attributes.lastModifiedTime());
    boolean changed = !settled || !Objects.equals(now, state);
    state = now;
    settled = Math.abs(System.currentTimeMillis() - now.time().toMillis()) > TICK_MILLIS;
    return changed;
  }

  /** Makes the next {@link #changed} return true. */
  void unsettle() {
    settled = false;
  }

  Names names() throws IOException {
    Set<String> steps = new LinkedHashSet<>();
    int seen = 0;
    int odd = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        if (steps.size() == MAX_NAMES || ++seen > MAX_EXAMINED) {
          return new Names(steps, odd, false);
        }
        String name = entry.getFileName().toString();
        if (name.endsWith(SUFFIX) && !name.startsWith(".")) {
          if (name.length() <= MAX_LENGTH && isPlain(name)) {
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

  /** Other bytes may not survive the conversion to a string and back, depending on the locale. */
  private static boolean isPlain(String name) {
    return name.chars().allMatch(character -> character > ' ' && character <= '~');
  }
}
