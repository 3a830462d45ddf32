package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Optional;

/**
 * Reads a small file at once. One that does not exist, or whose process has ended, is {@link
 * Reading.Missing}; other failures have a reason of {@link FileFailure}.
 */
public final class SmallFile {

  /** One page: the longest attribute of sysfs. */
  private static final int MAX_ATTRIBUTE = 4096;

  /** Of one thread; a stream would allocate twice as much for each file. */
  private static final ThreadLocal<byte[]> BUFFER =
      ThreadLocal.withInitial(() -> new byte[4 * MAX_ATTRIBUTE]);

  private SmallFile() {}

  /**
   * Makes a value of the first {@code length} bytes of an array. The next read overwrites the
   * array, so it must not be kept.
   */
  interface Content<T> {
    T of(byte[] bytes, int length);
  }

  /** The first 4 KiB of a file of sysfs or procfs as UTF-8, without surrounding white space. */
  public static Reading<String> text(Path file) {
    return read(
        file,
        MAX_ATTRIBUTE,
        (bytes, length) -> new String(bytes, 0, length, StandardCharsets.UTF_8).strip());
  }

  /**
   * The first bytes of a file that any program may have written. Opening a FIFO would wait for its
   * writer, so anything but a regular file fails with {@code not_a_file}; links are followed.
   */
  public static Reading<byte[]> head(Path file, int max) {
    return head(file, max, Arrays::copyOf);
  }

  private static <T> Reading<T> head(Path file, int max, Content<T> content) {
    try {
      return Files.readAttributes(file, BasicFileAttributes.class).isRegularFile()
          ? read(file, max, content)
          : new Reading.Failed<>(file.toString(), FileFailure.NOT_A_FILE);
    } catch (IOException failed) {
      Reading<T> reading = FileFailure.reading(file.toString(), failed);
      // The exception's message is recognized only in English.
      boolean unclear = reading.failure().equals(Optional.of(FileFailure.IO));
      return unclear && Files.notExists(file) ? new Reading.Missing<>(file.toString()) : reading;
    }
  }

  /** As {@link #head}, but all of the file as UTF-8: {@code too_large} if it has more bytes. */
  public static Reading<String> whole(Path file, int max) {
    Content<String> text = (bytes, length) -> new String(bytes, 0, length, StandardCharsets.UTF_8);
    return head(file, max + 1, atMost(max, file, text)).flatMap(limited -> limited);
  }

  /** All of a kernel file, of whatever type: {@code too_large} if it has more bytes. */
  static <T> Reading<T> kernel(Path file, int max, Content<T> content) {
    return read(file, max + 1, atMost(max, file, content)).flatMap(limited -> limited);
  }

  private static <T> Content<Reading<T>> atMost(int max, Path file, Content<T> content) {
    return (bytes, length) ->
        length > max
            ? new Reading.Failed<>(file.toString(), FileFailure.TOO_LARGE)
            : Reading.of(content.of(bytes, length));
  }

  private static <T> Reading<T> read(Path file, int max, Content<T> content) {
    byte[] buffer = BUFFER.get();
    // A channel, as Files has it, would allocate four times as much.
    try (InputStream in = new FileInputStream(file.toString())) {
      int read = in.readNBytes(buffer, 0, Math.min(max, buffer.length));
      if (read < buffer.length || read == max) {
        return Reading.of(content.of(buffer, read));
      }
      byte[] rest = in.readNBytes(max - read);
      byte[] all = Arrays.copyOf(buffer, read + rest.length);
      System.arraycopy(rest, 0, all, read, rest.length);
      return Reading.of(content.of(all, all.length));
    } catch (IOException failed) {
      return FileFailure.reading(file.toString(), failed);
    }
  }
}
