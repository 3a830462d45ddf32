package io.lapwing.linux;

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
 * The names of the files of a kind in a world-writable folder. The folder's modification time shows
 * cheaply whether a file was added or removed; writing to a file does not change it.
 */
public final class UserFolder {

  /**
   * Files that are listed at most: half as many again as the folder's own file system has inodes,
   * as one listing also has files that come and go during it.
   */
  public static final int MAX_NAMES = 24_576;

  /** A writer's name has at most 64 characters of the job, and three numbers. */
  private static final int MAX_LENGTH = 128;

  /** Names of any kind, so that a listing ends; reading so many takes half a second. */
  private static final int MAX_EXAMINED = 1_000_000;

  /** File system timestamps are coarse: a second change may have the same one. */
  private static final long TICK_MILLIS = 1000;

  private final Path path;
  private final String suffix;
  private @Nullable State state;
  private boolean settled;

  /** The files, how many have names that no writer uses, and whether these are all. */
  public record Names(Set<String> files, int odd, boolean all) {}

  /** Identity and modification time of the folder. */
  private record State(@Nullable Object key, FileTime time) {}

  /** The files with this end of their names: {@code .steps}. */
  public UserFolder(Path path, String suffix) {
    this.path = path;
    this.suffix = suffix;
  }

  public Path path() {
    return path;
  }

  /** Whether names may have changed since the last call. */
  public boolean changed() throws IOException {
    BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
    State now = new State(attributes.fileKey(), attributes.lastModifiedTime());
    boolean changed = !settled || !Objects.equals(now, state);
    state = now;
    settled = Math.abs(System.currentTimeMillis() - now.time().toMillis()) > TICK_MILLIS;
    return changed;
  }

  /** The identity of the folder that {@link #changed} saw last. */
  public @Nullable Object key() {
    return state == null ? null : state.key();
  }

  /** Makes the next {@link #changed} return true. */
  public void unsettle() {
    settled = false;
  }

  public Names names() throws IOException {
    Set<String> files = new LinkedHashSet<>();
    int seen = 0;
    int odd = 0;
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(path)) {
      for (Path entry : entries) {
        if (files.size() == MAX_NAMES || ++seen > MAX_EXAMINED) {
          return new Names(files, odd, false);
        }
        String name = entry.getFileName().toString();
        if (name.endsWith(suffix) && !name.startsWith(".")) {
          if (name.length() <= MAX_LENGTH && isPlain(name)) {
            files.add(name);
          } else {
            odd++;
          }
        }
      }
      return new Names(files, odd, true);
    } catch (DirectoryIteratorException broken) {
      throw broken.getCause();
    }
  }

  /** Other bytes may not survive the conversion to a string and back, depending on the locale. */
  private static boolean isPlain(String name) {
    return name.chars().allMatch(character -> character > ' ' && character <= '~');
  }
}
