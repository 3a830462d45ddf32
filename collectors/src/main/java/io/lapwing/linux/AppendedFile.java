package io.lapwing.linux;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A regular file that other processes append to, truncate or replace. One that was truncated and
 * has grown beyond the read position between two polls looks as if it only grew.
 */
final class AppendedFile implements RecordReader {

  /** Polls before a replaced file is left, after another one has content under its name. */
  private static final int MAX_POLLS_MOVED = 2;

  /** Polls during which the name may be missing while a file is replaced. */
  private static final int MAX_POLLS_MISSING = 8;

  private final Path path;
  private final FileWatch watch;
  private FileChannel channel;
  private @Nullable Object key;
  private long position;
  private int missing;
  private int moved;

  private AppendedFile(Path path, FileChannel channel, @Nullable Object key) {
    this.path = path;
    this.channel = channel;
    this.key = key;
    this.watch = new FileWatch(path);
  }

  static AppendedFile whole(Path path) throws IOException {
    Object key = key(path);
    return new AppendedFile(path, opened(path, key), key);
  }

  /** Fails if another file has replaced the one with this key. */
  private static FileChannel opened(Path path, @Nullable Object key) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    if (!Objects.equals(key, key(path))) {
      channel.close();
      throw new IOException("replaced while it was opened");
    }
    return channel;
  }

  /** Starts at most {@code max} bytes before the end of the file. */
  static AppendedFile tail(Path path, long max) throws IOException {
    AppendedFile file = whole(path);
    try {
      file.position = Math.max(0, file.channel.size() - max);
      return file;
    } catch (IOException broken) {
      file.close();
      throw broken;
    }
  }

  /** Whether reading starts in the middle, possibly within a line. */
  boolean fromMiddle() {
    return position > 0;
  }

  private static @Nullable Object key(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  @Override
  public Got read(ByteBuffer into) throws IOException {
    int read = channel.read(into, position);
    if (read > 0) {
      position += read;
      watch.changed();
      return Got.BYTES;
    }
    return atEnd();
  }

  private Got atEnd() throws IOException {
    if (channel.size() < position) {
      position = 0;
      return Got.RESTARTED;
    }
    return replaced() ? next() : Got.NOTHING_YET;
  }

  /**
   * Whether another file has the name, and its writer has begun to write to that: until it reopens
   * the name, which may take long after a rotation, it appends to this one.
   */
  private boolean replaced() throws IOException {
    try {
      BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
      missing = 0;
      boolean same = now.fileKey() == null || now.fileKey().equals(key);
      moved = same || now.size() == 0 ? 0 : moved + 1;
      return moved >= MAX_POLLS_MOVED;
    } catch (NoSuchFileException gone) {
      missing++;
      if (missing >= MAX_POLLS_MISSING) {
        throw gone;
      }
      return false;
    }
  }

  private Got next() throws IOException {
    Object now = key(path);
    FileChannel opened = opened(path, now);
    channel.close();
    channel = opened;
    key = now;
    position = 0;
    moved = 0;
    return Got.RESTARTED;
  }

  /** Any change in its folder wakes the reader, at most four times a second. */
  @Override
  public void awaitMore() throws InterruptedException {
    Thread.sleep(POLL_MILLIS);
    if (moved == 0 && missing == 0) {
      watch.await();
    }
  }

  @Override
  public void close() throws IOException {
    watch.close();
    channel.close();
  }
}
