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
import java.util.ArrayList;
import java.util.List;

/**
 * A file with a line of JSON for each entry. A line that a crash cut off is removed when the file
 * is opened; any other line that cannot be read stops the controller, since a forgotten repair
 * could be begun twice. Entries are not kept in memory.
 */
public final class JournalFile implements Journal, AutoCloseable {

  private static final byte NEWLINE = '\n';

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
        channel.truncate(wholeLines(Files.readAllBytes(file)));
        channel.position(channel.size());
        JournalFile journal = new JournalFile(file, retention, lock, channel);
        journal.read();
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

  private static int wholeLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != NEWLINE) {
      end--;
    }
    return end;
  }

  private List<Entry> read() throws IOException {
    List<Entry> entries = new ArrayList<>();
    try (BufferedReader lines = Files.newBufferedReader(file)) {
      int number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        number++;
        try {
          entries.add(JSON.readValue(line, JournalLine.class).entry());
        } catch (JsonProcessingException | IllegalArgumentException e) {
          throw new IOException(file + ":" + number + ": not an entry of the journal", e);
        }
      }
    }
    return entries;
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
  public List<Entry> entries() {
    try {
      return read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The new file takes the place of the old one at once, when it is durable. */
  @Override
  public void compact(Instant now) throws IOException {
    List<Entry> all = read();
    List<Entry> kept = retention.kept(all, now);
    if (kept.size() == all.size()) {
      return;
    }
    Path next = beside(file, ".new");
    FileChannel replacement = FileChannel.open(next, CREATE, TRUNCATE_EXISTING, READ, WRITE);
    try {
      for (Entry entry : kept) {
        write(line(entry), replacement);
      }
      replacement.force(true);
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException | RuntimeException e) {
      replacement.close();
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
