package io.lapwing.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A step file that is held open and read at places, never mapped: a mapping of a file that somebody
 * makes shorter would end the agent. For one thread at a time.
 */
final class StepFile implements AutoCloseable {

  private static final String LOOK = "unix:isRegularFile,size,fileKey,uid";

  private final Path path;
  private final FileChannel channel;
  private final Look look;
  private final byte[] bytes = new byte[StepLayout.HEADER];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] first;
  private final StepHeader header;

  /**
   * What a name stands for, links not followed.
   *
   * @param key of the file system: the same for as long as it is the same file
   * @param user its owner's numeric id
   */
  record Look(boolean regular, long size, Object key, long user) {

    static Look at(Path path) throws IOException {
      Map<String, Object> all = Files.readAttributes(path, LOOK, LinkOption.NOFOLLOW_LINKS);
      return new Look(
          Boolean.TRUE.equals(all.get("isRegularFile")),
          number(all.get("size")),
          Objects.requireNonNullElse(all.get("fileKey"), path),
          number(all.get("uid")));
    }

    private static long number(@Nullable Object value) {
      return value instanceof Number number ? number.longValue() : -1;
    }
  }

  private StepFile(Path path, FileChannel channel, Look look) throws IOException, RejectedFile {
    this.path = path;
    this.channel = channel;
    this.look = look;
    read(buffer, 0);
    this.header = StepHeader.parse(bytes, channel.size());
    this.first = bytes.clone();
  }

  /**
   * Opens one after a look at it. Between the look and the opening somebody may put a FIFO in its
   * place, on which the opening waits for a writer; nothing in Java opens without waiting. What was
   * put there otherwise is seen by a second look.
   *
   * @throws NoSuchFileException where there is none of that name any more
   */
  static StepFile open(Path path) throws RejectedFile, NoSuchFileException {
    try {
      Look look = Look.at(path);
      demand(look.regular(), Rejection.NOT_REGULAR);
      demand(look.size() <= StepLayout.MOST_SIZE, Rejection.TOO_BIG);
      demand(look.size() >= StepLayout.LEAST_SIZE, Rejection.BAD_SIZE);
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      return opened(path, channel, look);
    } catch (NoSuchFileException gone) {
      throw gone;
    } catch (IOException failed) {
      throw new RejectedFile(reason(failed));
    }
  }

  private static StepFile opened(Path path, FileChannel channel, Look before)
      throws IOException, RejectedFile {
    try {
      demand(Look.at(path).key().equals(before.key()), Rejection.REPLACED);
      return new StepFile(path, channel, before);
    } catch (IOException | RejectedFile | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  private static void demand(boolean holds, Rejection otherwise) throws RejectedFile {
    if (!holds) {
      throw new RejectedFile(otherwise);
    }
  }

  static Rejection reason(IOException failed) {
    return failed instanceof AccessDeniedException ? Rejection.NO_PERMISSION : Rejection.IO;
  }

  Path path() {
    return path;
  }

  Look look() {
    return look;
  }

  StepHeader header() {
    return header;
  }

  /** Reads the header again; it is to say the same as before of all that does not move. */
  void refresh() throws RejectedFile, IOException {
    read(buffer, 0);
    demand(
        same(0, StepLayout.AT_WRITTEN) && same(StepLayout.AT_FIXED_AGAIN, StepLayout.HEADER),
        Rejection.REPLACED);
  }

  private boolean same(int from, int to) {
    return Arrays.equals(bytes, from, to, first, from, to);
  }

  /** How many records are finished, ever; of the last reading. */
  long written() {
    return buffer.getLong(StepLayout.AT_WRITTEN);
  }

  Phase phase() {
    return Phase.of(buffer.getLong(StepLayout.AT_PHASE));
  }

  /** In nanoseconds since the epoch, whatever the writer says; 0 where it says nothing. */
  long phaseSince() {
    return buffer.getLong(StepLayout.AT_PHASE_SINCE);
  }

  /** Fills a buffer from one place on. */
  void read(ByteBuffer into, long from) throws IOException, RejectedFile {
    into.clear();
    readOn(into, from);
  }

  /** Fills what is left of a buffer. */
  void readOn(ByteBuffer into, long from) throws IOException, RejectedFile {
    long at = from;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      demand(read > 0, Rejection.TRUNCATED);
      at += read;
    }
  }

  /**
   * Whether another process holds the lock of the writer, seen by trying for a shared one, which is
   * given back at once. One of this very process counts as well.
   */
  boolean isLocked() throws IOException {
    try (FileLock free = channel.tryLock(0, 1, true)) {
      return free == null;
    } catch (OverlappingFileLockException here) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException alreadyGone) {
      // Nothing was written, so nothing is lost.
    }
  }
}
