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
 * A regular file that stands for /dev/kmsg: {@code priority,sequence,microseconds,-;text}, with the
 * further lines of a message behind a space each.
 *
 * <p>Like the kernel, it writes what is no printable ASCII as {@code \xHH}. Unlike a real one it
 * forgets nothing, and reads from the beginning for everybody who opens it.
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

  /** A new boot: the log of the one before is gone. */
  void restart() throws IOException {
    Files.createDirectories(file.getParent());
    sequence = 0;
    microseconds = 0;
    write("", StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
  }

  /** Messages of one moment, all with one write. Time in a log does not go back. */
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
