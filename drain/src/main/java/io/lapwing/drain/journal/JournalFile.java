package io.lapwing.drain.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/**
 * A file with a line of JSON for each entry. A line that a crash cut off is removed when the file
 * is opened; any other line that cannot be read stops the controller, since a forgotten repair
 * could be begun twice.
 */
public final class JournalFile implements Journal, AutoCloseable {

  private static final byte NEWLINE = '\n';

  private static final ObjectMapper JSON =
      JsonMapper.builder().disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS).build();

  private final Path file;
  private final FileChannel channel;
  private final List<Entry> entries;

  private JournalFile(Path file, FileChannel channel, List<Entry> entries) {
    this.file = file;
    this.channel = channel;
    this.entries = entries;
  }

  /**
   * Opens or creates it, for one process at a time.
   *
   * @throws IOException if it cannot be read, written or locked, naming the file and the line
   */
  public static JournalFile open(Path file) throws IOException {
    Files.createDirectories(file.toAbsolutePath().getParent());
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new IOException(file + ": another process has it open");
      }
      byte[] bytes = Files.readAllBytes(file);
      int whole = wholeLines(bytes);
      List<Entry> entries = parse(file, new String(bytes, 0, whole, StandardCharsets.UTF_8));
      channel.truncate(whole);
      channel.position(whole);
      return new JournalFile(file, channel, entries);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static int wholeLines(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] != NEWLINE) {
      end--;
    }
    return end;
  }

  private static List<Entry> parse(Path file, String text) throws IOException {
    List<Entry> entries = new ArrayList<>();
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      try {
        entries.add(JSON.readValue(line, JournalLine.class).entry());
      } catch (JsonProcessingException | IllegalArgumentException e) {
        throw new IOException(file + ":" + number + ": not an entry of the journal", e);
      }
    }
    return entries;
  }

  @Override
  public void append(Entry entry) throws IOException {
    byte[] line =
        (JSON.writeValueAsString(JournalLine.of(entry)) + "\n").getBytes(StandardCharsets.UTF_8);
    long before = channel.position();
    try {
      ByteBuffer bytes = ByteBuffer.wrap(line);
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
      channel.force(false);
    } catch (IOException e) {
      channel.truncate(before);
      throw new IOException(file + ": " + e.getMessage(), e);
    }
    entries.add(entry);
  }

  @Override
  public List<Entry> entries() {
    return List.copyOf(entries);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
