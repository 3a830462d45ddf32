package io.lapwing.simulator;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;

/**
 * A regular file in place of /dev/kmsg: {@code priority,sequence,microseconds,-;text}; continuation
 * lines start with a space.
 *
 * <p>Like the kernel, it escapes everything except printable ASCII as {@code \xHH}. Unlike the
 * kernel's, it drops nothing, and every reader starts at the beginning.
 */
final class KernelLog {
  private final Path file;
  private long sequence;
  private long microseconds;

  KernelLog(Path file) {
    this.file = file;
  }

  Path file() {
    return file;
  }

  /** A new boot: deletes the earlier log. */
  void restart() throws IOException {
    Files.createDirectories(file.getParent());
    sequence = 0;
    microseconds = 0;
    write("", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Writes messages with the same time at once. Time in a log never decreases. */
  void append(Duration sinceBoot, List<KernelLine> lines) throws IOException {
    microseconds = Math.max(microseconds, sinceBoot.toNanos() / 1000);
    StringBuilder records = new StringBuilder();
    for (KernelLine line : lines) {
      records.append(line.priority()).append(',').append(sequence++).append(',');
      records.append(microseconds).append(",-;");
      escape(line.text(), records);
      records.append('\n');
    }
    write(records.toString(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static void escape(String text, StringBuilder into) {
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      if (b == '\n') {
        into.append("\n ");
      } else if (b < ' ' || b == 0x7f || b == '\\') {
        into.append(String.format("\\x%02x", b & 0xff));
      } else {
        into.append((char) b);
      }
    }
  }

  private void write(String text, OpenOption create, OpenOption how) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    try (FileChannel channel = FileChannel.open(file, create, StandardOpenOption.WRITE, how)) {
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
  }
}
