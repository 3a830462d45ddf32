package io.lapwing.agent.events;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The file that is written to. Whatever fails, it never has a torn line with others behind it. */
final class CurrentFile implements Closeable {
  private final Storage.OpenFile file;
  private @Nullable Object identity;
  private long end;
  private long own;
  private Optional<Instant> begun;
  private boolean whole = true;

  private CurrentFile(Storage.OpenFile file, FileScan scan) {
    this.file = file;
    this.end = scan.end();
    this.own = scan.own();
    this.begun = scan.begun();
  }

  /** Goes on with a file where its last whole line ends. */
  static CurrentFile resume(Storage storage, Path path, FileScan scan) throws IOException {
    CurrentFile current = new CurrentFile(storage.open(path, scan.end()), scan);
    try {
      if (scan.lacksLineEnd()) {
        current.append("\n".getBytes(StandardCharsets.US_ASCII));
      }
      current.file.force();
      current.settle(path);
    } catch (IOException e) {
      current.close();
      throw e;
    }
    return current;
  }

  /**
   * Creates a file with the lines of a snapshot. A file that could not be completed is deleted: it
   * would take the room that the current one needs.
   */
  static CurrentFile create(Storage storage, Path path, Iterable<byte[]> snapshot)
      throws IOException {
    CurrentFile current = new CurrentFile(storage.open(path, 0), FileScan.NOTHING);
    try {
      for (byte[] lines : snapshot) {
        current.write(lines);
        current.end += lines.length;
      }
      current.file.force();
    } catch (IOException e) {
      discard(storage, path, current, e);
      throw e;
    }
    return current;
  }

  private static void discard(
      Storage storage, Path path, CurrentFile incomplete, IOException cause) {
    try (incomplete) {
      storage.delete(path);
    } catch (IOException e) {
      cause.addSuppressed(e);
    }
  }

  /** Remembers which file the path names, once it has its name. */
  void settle(Path path) throws IOException {
    identity = identity(path);
  }

  /** Adds whole lines: all of them are on the disk afterwards, or none is in the file. */
  void append(byte[] lines) throws IOException {
    try {
      write(lines);
      file.force();
    } catch (IOException e) {
      cutBack(e);
      throw e;
    }
    end += lines.length;
  }

  private void write(byte[] lines) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(lines);
    while (rest.hasRemaining()) {
      file.write(rest);
    }
  }

  private void cutBack(IOException cause) {
    try {
      file.truncate(end);
    } catch (IOException e) {
      cause.addSuppressed(e);
      whole = false;
    }
  }

  /** Adds whole lines of what happened now. */
  void append(byte[] lines, Instant now) throws IOException {
    append(lines);
    own += lines.length;
    begun = begun.or(() -> Optional.of(now));
  }

  /** Whether it cannot be gone on with: what failed could not be cut off, or it was taken away. */
  boolean isLost(Path path) {
    try {
      return !whole || !identity(path).equals(identity);
    } catch (IOException e) {
      return true;
    }
  }

  private static Object identity(Path path) throws IOException {
    @Nullable Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    if (key == null) {
      throw new NoSuchFileException(path.toString(), null, "no inode");
    }
    return key;
  }

  /** Whether so many more bytes belong into a new file. */
  boolean isFull(long more, Limits limits, Instant now) {
    return own > 0 && (own + more > limits.fileBytes() || isOld(limits.fileAge(), now));
  }

  private boolean isOld(Duration most, Instant now) {
    return begun.isPresent() && Duration.between(begun.get(), now).compareTo(most) > 0;
  }

  /** In bytes. */
  long size() {
    return end;
  }

  /** In bytes, once it is full. */
  long greatestSize(Limits limits) {
    return end - own + Math.max(own, limits.fileBytes());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
