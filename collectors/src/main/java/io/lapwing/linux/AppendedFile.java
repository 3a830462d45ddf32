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
 * A regular file that others append to, empty, or replace by another of its name. A file that was
 * emptied and has grown beyond the place read to before anyone looked cannot be told from one that
 * only grew.
 */
final class AppendedFile implements RecordReader {

  /** A file that is moved away may be written to until its writer is told. */
  private static final int LOOKS_AT_MOVED = 2;

  /** How long a name may be missing while a file is replaced. */
  private static final int LOOKS_AT_MISSING = 8;

  private final Path path;
  private FileChannel channel;
  private @Nullable Object key;
  private long position;
  private int missing;
  private int moved;

  private AppendedFile(Path path, FileChannel channel, @Nullable Object key) {
    this.path = path;
    this.channel = channel;
    this.key = key;
  }

  static AppendedFile whole(Path path) throws IOException {
    Object key = key(path);
    return new AppendedFile(path, opened(path, key), key);
  }

  /** The file that has this key, and no other that came into its place meanwhile. */
  private static FileChannel opened(Path path, @Nullable Object key) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    if (!Objects.equals(key, key(path))) {
      channel.close();
      throw new IOException("it was replaced while it was opened");
    }
    return channel;
  }

  /**
   * Only the end of it.
   *
   * @param most bytes of it
   */
  static AppendedFile tail(Path path, long most) throws IOException {
    AppendedFile file = whole(path);
    try {
      file.position = Math.max(0, file.channel.size() - most);
      return file;
    } catch (IOException broken) {
      file.close();
      throw broken;
    }
  }

  /** Whether it is read from its middle, where a line may have begun before. */
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
      return Got.BYTES;
    }
    return atEnd();
  }

  private Got atEnd() throws IOException {
    if (channel.size() < position) {
      position = 0;
      return Got.ANEW;
    }
    return replaced() ? next() : Got.NOTHING_YET;
  }

  private boolean replaced() throws IOException {
    try {
      Object now = key(path);
      missing = 0;
      moved = now == null || now.equals(key) ? 0 : moved + 1;
      return moved >= LOOKS_AT_MOVED;
    } catch (NoSuchFileException gone) {
      missing++;
      if (missing >= LOOKS_AT_MISSING) {
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
    return Got.ANEW;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
