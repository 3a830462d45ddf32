package io.lapwing.training;

import io.lapwing.metric.LabelWord;
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

/**
 * An open step file, read by position and never mapped: truncating a mapped file would crash the
 * agent with SIGBUS. Not thread-safe.
 */
final class StepFile implements AutoCloseable {

  private static final String LOOK = "unix:isRegularFile,size,fileKey,uid";

  private final Path path;
  private final FileChannel channel;
  private final Attributes attributes;
  private final byte[] bytes = new byte[StepLayout.HEADER];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] first;
  private final StepHeader header;

  /** The attributes of a path, links not followed; the key is usually device and inode. */
  record Attributes(boolean regular, long size, Object key, long user) {

    static Attributes at(Path path) throws IOException {
      Map<String, Object> all = Files.readAttributes(path, LOOK, LinkOption.NOFOLLOW_LINKS);
      return new Attributes(
          Boolean.TRUE.equals(all.get("isRegularFile")),
          number(all, "size"),
          Objects.requireNonNullElse(all.get("fileKey"), path),
          number(all, "uid"));
    }

    private static long number(Map<String, Object> all, String name) throws IOException {
      if (all.get(name) instanceof Number number) {
        return number.longValue();
      }
      throw new IOException("no " + name);
    }
  }

  private StepFile(Path path, FileChannel channel, Attributes attributes)
      throws IOException, RejectedException {
    this.path = path;
    this.channel = channel;
    this.attributes = attributes;
    read(buffer, 0);
    this.header = StepHeader.parse(bytes, channel.size());
    this.first = bytes.clone();
  }

  /**
   * Checks and opens a file. If a FIFO replaces it between the check and the open, the open blocks
   * until there is a writer; Java has no non-blocking open. A second check detects any other
   * replacement.
   */
  static StepFile open(Path path) throws RejectedException, NoSuchFileException {
    try {
      Attributes attributes = Attributes.at(path);
      demand(attributes.regular(), Rejection.NOT_REGULAR);
      demand(attributes.size() <= StepLayout.MAX_SIZE, Rejection.TOO_BIG);
      demand(attributes.size() >= StepLayout.MIN_SIZE, Rejection.BAD_SIZE);
      FileChannel channel =
          FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
      return opened(path, channel, attributes);
    } catch (NoSuchFileException gone) {
      throw gone;
    } catch (IOException failed) {
      throw new RejectedException(reason(failed));
    }
  }

  private static StepFile opened(Path path, FileChannel channel, Attributes before)
      throws IOException, RejectedException {
    try {
      demand(Attributes.at(path).key().equals(before.key()), Rejection.REPLACED);
      return new StepFile(path, channel, before);
    } catch (IOException | RejectedException | RuntimeException failed) {
      channel.close();
      throw failed;
    }
  }

  private static void demand(boolean holds, Rejection otherwise) throws RejectedException {
    if (!holds) {
      throw new RejectedException(otherwise);
    }
  }

  static Rejection reason(IOException failed) {
    return failed instanceof AccessDeniedException ? Rejection.NO_PERMISSION : Rejection.IO;
  }

  Path path() {
    return path;
  }

  Attributes attributes() {
    return attributes;
  }

  StepHeader header() {
    return header;
  }

  /** Reads the header again. Its constant fields must not have changed. */
  void refresh() throws RejectedException, IOException {
    read(buffer, 0);
    demand(
        same(0, StepLayout.AT_WRITTEN) && same(StepLayout.AT_FIXED_AGAIN, StepLayout.HEADER),
        Rejection.REPLACED);
  }

  private boolean same(int from, int to) {
    return Arrays.equals(bytes, from, to, first, from, to);
  }

  /** Number of records ever finished, as of the last read of the header. */
  long written() {
    return buffer.getLong(StepLayout.AT_WRITTEN);
  }

  Phase phase() {
    return Phase.of(buffer.getLong(StepLayout.AT_PHASE));
  }

  /** In nanoseconds since the epoch, unchecked; 0 if the writer does not report it. */
  long phaseSince() {
    return buffer.getLong(StepLayout.AT_PHASE_SINCE);
  }

  void read(ByteBuffer into, long from) throws IOException, RejectedException {
    into.clear();
    readOn(into, from);
  }

  void readOn(ByteBuffer into, long from) throws IOException, RejectedException {
    long at = from;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      demand(read > 0, Rejection.TRUNCATED);
      at += read;
    }
  }

  /** Whether the writer's lock is held, by trying for a shared one; also if held by us. */
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
      // Opened for reading: nothing can be lost.
    }
  }

  /** Thrown often, so without a stack trace. */
  static final class RejectedException extends Exception {

    private static final long serialVersionUID = 1L;

    private final Rejection why;

    RejectedException(Rejection why) {
      super(why.text(), null, false, false);
      this.why = why;
    }

    Rejection why() {
      return why;
    }
  }

  /** Why a file in the steps folder is not read. */
  enum Rejection implements LabelWord {
    /** Characters that no writer uses, which might not survive the conversion to a string. */
    BAD_NAME,
    /** A folder, symbolic link, FIFO, socket or device. */
    NOT_REGULAR,
    /** Larger than any valid file, sparse or not. */
    TOO_BIG,
    /** Not the size that its header demands. */
    BAD_SIZE,
    BAD_MAGIC,
    /** Another version of the layout. */
    VERSION,
    /** An impossible value in the header. */
    BAD_HEADER,
    /** Its owner is not the user of the process that it names. */
    OWNER,
    /** Another file is of the same rank of the same run. */
    DUPLICATE,
    /** More ranks, or more files, than are read. */
    TOO_MANY,
    /** Its process has exited, or has been silent for too long. */
    PROCESS_GONE,
    /** It became shorter while it was read. */
    TRUNCATED,
    /** Its counts decreased: two processes write to it. */
    TWO_WRITERS,
    /** Changed or replaced while it was read; it is opened again. */
    REPLACED,
    NO_PERMISSION,
    IO;
  }
}
