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

/** The file that is appended to. No failure leaves a torn line with others after it. */
final class CurrentFile implements Closeable {
  private final Storage.OpenFile file;
  private Path path;
  private @Nullable Object identity;
  private long end;
  private long own;
  private Optional<Instant> started;
  private boolean broken;

  private CurrentFile(Storage.OpenFile file, Path path, FileScan scan) {
    this.file = file;
    this.path = path;
    this.end = scan.end();
    this.own = scan.own();
    this.started = scan.started();
  }

  /** Continues a file after its last complete line. */
  static CurrentFile resume(Storage storage, Path path, FileScan scan) throws IOException {
    CurrentFile current = new CurrentFile(storage.open(path, scan.end()), path, scan);
    try {
      if (scan.lacksLineFeed()) {
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
   * Creates a file with a snapshot. An incomplete file is deleted: the current one needs the room.
   */
  static CurrentFile create(Storage storage, Path path, Iterable<byte[]> snapshot)
      throws IOException {
    CurrentFile current = new CurrentFile(storage.open(path, 0), path, FileScan.EMPTY);
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

  /** Notes the identity of the file, once it has its final name. */
  void settle(Path name) throws IOException {
    path = name;
    identity = identity(name);
  }

  /** Appends lines: all of them are on the disk afterwards, or none is in the file. */
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
      broken = true;
    }
  }

  void append(byte[] lines, Instant now) throws IOException {
    append(lines);
    own += lines.length;
    started = started.or(() -> Optional.of(now));
  }

  /** Whether a torn line could not be cut off: it has to be opened again. */
  boolean isBroken() {
    return broken;
  }

  /** Whether it was deleted, replaced or truncated: what was in it is not on disk any more. */
  boolean isReplaced() {
    try {
      return !identity(path).equals(identity) || Files.size(path) < end;
    } catch (IOException e) {
      return true;
    }
  }

  /** Of what a path leads to. */
  static Object identity(Path path) throws IOException {
    @Nullable Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    if (key == null) {
      throw new NoSuchFileException(path.toString(), null, "no inode");
    }
    return key;
  }

  /** Whether lines of that many bytes need a new file. */
  boolean isFull(long more, Limits limits, Instant now) {
    return own > 0 && (own + more > limits.fileBytes() || isOld(limits.fileAge(), now));
  }

  private boolean isOld(Duration max, Instant now) {
    return started.isPresent() && Duration.between(started.get(), now).compareTo(max) > 0;
  }

  /** In bytes. */
  long size() {
    return end;
  }

  /** In bytes, when it is full. */
  long maxSize(Limits limits) {
    return end - own + Math.max(own, limits.fileBytes());
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
