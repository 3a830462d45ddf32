package io.lapwing.agent.events;

import io.lapwing.agent.events.Storage.DiskStorage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The directory of a log, locked, with its current file. */
final class LogDirectory implements Closeable {
  private final LogFiles files;
  private final Storage storage;
  private final FileChannel lock;
  private final Object identity;
  private CurrentFile current;

  private LogDirectory(
      LogFiles files, Storage storage, FileChannel lock, Object identity, CurrentFile current) {
    this.identity = identity;
    this.files = files;
    this.storage = storage;
    this.lock = lock;
    this.current = current;
  }

  /** Locks the directory, creates it if its parent exists, and reads the files. */
  static LogDirectory take(LogFiles files, Storage storage, LogReader reader) throws IOException {
    if (!Files.isDirectory(files.directory())) {
      DiskStorage.createDirectory(files.directory());
    }
    FileChannel lock = lock(files.lock());
    try {
      demandFile(files.current());
      demandFile(files.next());
      finishRotation(files, storage);
      reader.readOlder(files);
      Object identity = CurrentFile.identity(files.directory());
      FileScan scan = FileScan.of(files.current(), reader);
      CurrentFile current = CurrentFile.resume(storage, files.current(), scan);
      storage.forceNames(files.directory());
      return new LogDirectory(files, storage, lock, identity, current);
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /** Opening anything else could block. */
  private static void demandFile(Path file) throws IOException {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw new FileSystemException(file.toString(), null, "not a regular file");
    }
  }

  /** The current file is renamed only after the next one is complete. */
  private static void finishRotation(LogFiles files, Storage storage) throws IOException {
    if (!Files.exists(files.next())) {
      return;
    }
    if (Files.exists(files.current())) {
      storage.delete(files.next());
    } else {
      storage.move(files.next(), files.current());
    }
  }

  CurrentFile current() {
    return current;
  }

  /** Whether its files were deleted, replaced or truncated. */
  boolean isReplaced() {
    return current.isReplaced() || isElsewhere();
  }

  /** Whether its path leads to no or another directory: it was deleted, or one is mounted there. */
  boolean isElsewhere() {
    try {
      return !CurrentFile.identity(files.directory()).equals(identity);
    } catch (NoSuchFileException e) {
      return true;
    } catch (IOException e) {
      return false; // not known; the next write says what is wrong
    }
  }

  void rotate(Iterable<byte[]> snapshot) throws IOException {
    CurrentFile next = CurrentFile.create(storage, files.next(), snapshot);
    try {
      storage.move(files.current(), files.afterNewest());
      storage.move(files.next(), files.current());
      storage.forceNames(files.directory());
      next.settle(files.current());
    } catch (IOException e) {
      next.close();
      throw e;
    }
    current.close();
    current = next;
  }

  /** Deletes the oldest files beyond the limits; the current one's snapshot covers them. */
  void prune(Limits limits, Instant now) throws IOException {
    List<Path> older = files.older();
    long room = limits.maxBytes() - current.maxSize(limits);
    for (int i = older.size() - 1; i >= 0; i--) {
      Path file = older.get(i);
      room -= Files.size(file);
      Duration age = Duration.between(Files.getLastModifiedTime(file).toInstant(), now);
      if (room < 0 || age.compareTo(limits.maxAge()) > 0) {
        storage.delete(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    try (lock) {
      current.close();
    }
  }

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

    /**
     * The older files, oldest first; none if the directory is missing. Only regular files: opening
     * a FIFO would wait for its writer.
     */
    List<Path> older() throws IOException {
      return named().stream().filter(LogFiles::isFile).toList();
    }

    /** Entries with the name of an older file that are not regular files. */
    List<Path> foreign() throws IOException {
      return named().stream().filter(file -> !isFile(file)).toList();
    }

    private List<Path> named() throws IOException {
      if (!Files.isDirectory(directory)) {
        return List.of();
      }
      try (Stream<Path> all = Files.list(directory)) {
        return all.filter(LogFiles::isOlder)
            .sorted(Comparator.comparingLong(LogFiles::number))
            .toList();
      }
    }

    private static boolean isFile(Path file) {
      return Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS);
    }

    /** The next name for the current file. */
    Path afterNewest() throws IOException {
      List<Path> older = named();
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

  static final class LockedException extends FileSystemException {
    private static final long serialVersionUID = 1;

    LockedException(Path lock) {
      super(lock.toString(), null, "locked by another agent");
    }
  }

  /**
   * Takes an exclusive lock without waiting, or throws LockedException. The kernel releases it when
   * the process ends; the file stays.
   */
  static FileChannel lock(Path lock) throws IOException {
    FileChannel channel = DiskStorage.channel(lock);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException ofThisProcess) {
      // Locked, too.
    } catch (IOException e) {
      channel.close();
      throw e;
    }
    channel.close();
    throw new LockedException(lock);
  }
}
