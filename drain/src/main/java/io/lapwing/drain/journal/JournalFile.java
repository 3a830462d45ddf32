package io.lapwing.drain.journal;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.TRUNCATE_EXISTING;
import static java.nio.file.StandardOpenOption.WRITE;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.function.Consumer;

/**
 * A file with a line of JSON for each entry. A line that a crash cut off is removed when the file
 * is opened; any other line that cannot be read stops the controller, since a forgotten repair
 * could be begun twice. Entries are not kept in memory.
 */
public final class JournalFile implements Journal, AutoCloseable {

  private static final byte NEWLINE = '\n';
  private static final int BLOCK = 8192;

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS).build();

  private final Path file;
  private final Retention retention;

  /** Of a file beside it: compaction replaces the journal itself. */
  private final FileChannel lock;

  private FileChannel channel;

  private JournalFile(Path file, Retention retention, FileChannel lock, FileChannel channel) {
    this.file = file;
    this.retention = retention;
    this.lock = lock;
    this.channel = channel;
  }

  /**
   * Opens or creates it, for one process at a time.
   *
   * @throws IOException if it cannot be read, written or locked, naming the file and the line
   */
  public static JournalFile open(Path file, Retention retention) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    FileChannel lock = FileChannel.open(beside(file, ".lock"), CREATE, WRITE);
    try {
      FileLock ours = lock.tryLock();
      if (ours == null) {
        throw new IOException(file + ": another process has it open");
      }
      FileChannel channel = FileChannel.open(file, CREATE, READ, WRITE);
      try {
        channel.truncate(wholeLines(channel));
        channel.position(channel.size());
        JournalFile journal = new JournalFile(file, retention, lock, channel);
        journal.read(any -> {});
        return journal;
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static Path beside(Path file, String suffix) {
    return file.resolveSibling(file.getFileName() + suffix);
  }

  /** The length of the file without a line that was cut off. */
  private static long wholeLines(FileChannel channel) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(BLOCK);
    long end = channel.size();
    while (end > 0) {
      long start = Math.max(0, end - BLOCK);
      block.clear().limit((int) (end - start));
      while (block.hasRemaining()) {
        if (channel.read(block, start + block.position()) < 0) {
          throw new EOFException("became shorter");
        }
      }
      for (int i = block.limit() - 1; i >= 0; i--) {
        if (block.get(i) == NEWLINE) {
          return start + i + 1;
        }
      }
      end = start;
    }
    return 0;
  }

  private void read(EntryReader reader) throws IOException {
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        reader.read(entry(line, number));
      }
    }
  }

  private interface EntryReader {
    void read(Entry entry) throws IOException;
  }

  private Entry entry(String line, int number) throws IOException {
    try {
      return JSON.readValue(line, JournalLine.class).entry();
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new IOException(file + ":" + number + ": not an entry of the journal", e);
    }
  }

  private static byte[] line(Entry entry) throws IOException {
    return (JSON.writeValueAsString(JournalLine.of(entry)) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void append(Entry entry) throws IOException {
    long before = channel.position();
    try {
      write(line(entry), channel);
      channel.force(false);
    } catch (IOException e) {
      channel.truncate(before);
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static void write(byte[] line, FileChannel to) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(line);
    while (bytes.hasRemaining()) {
      to.write(bytes);
    }
  }

  @Override
  public void forEach(Consumer<Entry> reader) {
    try {
      read(reader::accept);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The new file takes the place of the old one at once, when it is durable. */
  @Override
  public void compact(Instant now) throws IOException {
    Retention.Plan plan = retention.plan(now);
    read(plan::count);
    if (plan.keepsAll()) {
      return;
    }
    Path next = beside(file, ".new");
    FileChannel replacement = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, READ, WRITE);
    try {
      read(
          entry -> {
            if (plan.keeps(entry)) {
              write(line(entry), replacement);
            }
          });
      replacement.force(true);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      replacement.close();
      Files.deleteIfExists(next); // The disk may be full of it.
      throw e;
    }
    FileChannel old = channel;
    channel = replacement;
    old.close();
    try (FileChannel folder = FileChannel.open(file.toAbsolutePath().getParent(), READ)) {
      folder.force(true);
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
    lock.close();
  }
}
