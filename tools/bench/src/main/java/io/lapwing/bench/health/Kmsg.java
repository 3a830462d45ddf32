package io.lapwing.bench.health;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;

/** A regular file in the format of /dev/kmsg, to append driver messages to. */
final class Kmsg implements AutoCloseable {

  private final FileChannel file;
  private final long bootSeconds;
  private long sequence;

  private Kmsg(FileChannel file, long bootSeconds) {
    this.file = file;
    this.bootSeconds = bootSeconds;
  }

  /**
   * A new, empty log.
   *
   * @param procfs for the boot time, to which times in the log are relative
   */
  static Kmsg create(Path path, Path procfs) throws IOException {
    FileChannel file =
        FileChannel.open(
            path,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE);
    long boot =
        Files.readAllLines(procfs.resolve("stat")).stream()
            .filter(line -> line.startsWith("btime "))
            .mapToLong(line -> Long.parseLong(line.substring("btime ".length())))
            .findFirst()
            .orElseThrow(() -> new IOException("no btime in " + procfs.resolve("stat")));
    return new Kmsg(file, boot);
  }

  /** Appends lines with one write. */
  void append(List<String> texts) throws IOException {
    Instant now = Instant.now();
    long micros = (now.getEpochSecond() - bootSeconds) * 1_000_000 + now.getNano() / 1000;
    StringBuilder records = new StringBuilder(160 * texts.size());
    for (String text : texts) {
      records.append("4,").append(sequence++).append(',').append(micros).append(",-;");
      records.append(text).append('\n');
    }
    ByteBuffer bytes = ByteBuffer.wrap(records.toString().getBytes(US_ASCII));
    while (bytes.hasRemaining()) {
      file.write(bytes);
    }
  }

  long written() {
    return sequence;
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
