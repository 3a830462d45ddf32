package io.lapwing.simulator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A file with one number that changes while it is read.
 *
 * <p>Readers may keep such files open, as in /sys. So the file is written in place with one
 * positional write and never replaced or truncated. Before the number gets longer, newlines reserve
 * the space; if it gets shorter, newlines fill the rest. So a reader never sees a partial or mixed
 * number.
 */
final class CounterFile implements AutoCloseable {
  private static final byte NEWLINE = '\n';

  private Path path;
  private byte[] written = {};
  private long value;
  private @Nullable FileChannel channel;

  CounterFile(Path path) {
    this.path = path;
  }

  /** The folder was renamed; an open descriptor stays valid. */
  void moved(Path to) {
    path = to;
  }

  /** Creates the file and replaces an existing one. */
  void create(long first) throws IOException {
    value = first;
    written = text(first, 0);
    Files.deleteIfExists(path);
    Files.write(path, written, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Keeps a descriptor open for frequent writes. */
  void open() throws IOException {
    if (channel == null) {
      channel = FileChannel.open(path, StandardOpenOption.WRITE);
    }
  }

  void write(long next) throws IOException {
    if (next == value) {
      return;
    }
    FileChannel held = channel;
    if (held != null) {
      write(held, next);
      return;
    }
    try (FileChannel once = FileChannel.open(path, StandardOpenOption.WRITE)) {
      write(once, next);
    }
  }

  private void write(FileChannel file, long next) throws IOException {
    byte[] text = text(next, written.length);
    if (text.length > written.length) {
      put(file, padded(written, text.length));
    }
    put(file, text);
    written = text;
    value = next;
  }

  private static void put(FileChannel file, byte[] text) throws IOException {
    file.write(ByteBuffer.wrap(text), 0);
  }

  private static byte[] text(long value, int length) {
    byte[] text = (Long.toUnsignedString(value) + "\n").getBytes(StandardCharsets.US_ASCII);
    return padded(text, Math.max(length, text.length));
  }

  private static byte[] padded(byte[] text, int length) {
    byte[] padded = Arrays.copyOf(text, length);
    Arrays.fill(padded, text.length, length, NEWLINE);
    return padded;
  }

  @Override
  public void close() throws IOException {
    FileChannel held = channel;
    channel = null;
    if (held != null) {
      held.close();
    }
  }
}
