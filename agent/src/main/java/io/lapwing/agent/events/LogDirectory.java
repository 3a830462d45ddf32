package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The directory of a log, locked, with its current file. */
final class LogDirectory implements Closeable {
  private final LogFiles files;
  private final Storage storage;
  private final DirectoryLock lock;
  private CurrentFile current;

  private LogDirectory(LogFiles files, Storage storage, DirectoryLock lock, CurrentFile current) {
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
    DirectoryLock lock = DirectoryLock.take(files.lock());
    try {
      finishRotation(files, storage);
      reader.readOlder(files);
      FileScan scan = FileScan.of(files.current(), reader);
      CurrentFile current = CurrentFile.resume(storage, files.current(), scan);
      storage.forceNames(files.directory());
      return new LogDirectory(files, storage, lock, current);
    } catch (IOException e) {
      lock.close();
      throw e;
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

  /** Appends lines; they are on the disk afterwards. */
  void append(byte[] lines, Instant now) throws IOException {
    current.append(lines, now);
  }

  boolean isFull(long more, Limits limits, Instant now) {
    return current.isFull(more, limits, now);
  }

  boolean isLost() {
    return current.isLost(files.current());
  }

  long currentSize() {
    return current.size();
  }

  /** Starts a new file with these lines. */
  void rotate(Iterable<byte[]> snapshot) throws IOException {
    CurrentFile next = CurrentFile.create(storage, files.next(), snapshot);
    try {
      storage.move(files.current(), files.afterNewest(files.older()));
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

  /**
   * Deletes the oldest files beyond the limits. The current one has a snapshot of what was in them.
   */
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
}
