package io.lapwing.training;

import io.lapwing.linux.UserFile;
import io.lapwing.metric.LabelWord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An open step file, read by position and never mapped: truncating a mapped file would crash the
 * agent with SIGBUS. Not thread-safe.
 */
final class StepFile implements AutoCloseable {

  private final Path path;
  private final UserFile file;
  private final FileChannel channel;
  private final Attributes attributes;
  private final byte[] bytes = new byte[StepLayout.HEADER];
  private final ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] first;
  private final StepHeader header;

  /** The attributes that change if a file is replaced or resized, and its owner. */
  record Attributes(boolean regular, long size, long device, long inode, long user) {

    /** Of a path; links are not followed. */
    static Attributes at(Path path) throws IOException {
      return of(UserFile.Attributes.at(path));
    }

    static Attributes of(UserFile.Attributes all) {
      return new Attributes(all.isRegular(), all.size(), all.device(), all.inode(), all.user());
    }

    boolean isSameFile(Attributes other) {
      return device == other.device && inode == other.inode;
    }
  }

  private StepFile(Path path, UserFile file) throws IOException, RejectedException {
    this.path = path;
    this.file = file;
    this.channel = file.channel();
    this.attributes = Attributes.of(file.attributes());
    check(attributes);
    read(buffer, 0);
    this.header = StepHeader.parse(bytes, channel.size());
    this.first = bytes.clone();
  }

  /** Opens and checks a file; one whose attributes exclude a step file is not opened. */
  static StepFile open(Path path) throws RejectedException, NoSuchFileException {
    try {
      check(Attributes.at(path));
      UserFile file = UserFile.open(path);
      try {
        return new StepFile(path, file);
      } catch (IOException | RejectedException | RuntimeException failed) {
        file.close();
        throw failed;
      }
    } catch (NoSuchFileException gone) {
      throw gone;
    } catch (UserFile.NotRegularException exchanged) {
      throw new RejectedException(Rejection.NOT_REGULAR);
    } catch (IOException failed) {
      throw new RejectedException(reason(failed));
    }
  }

  /** Checks the attributes without opening the file. */
  static void check(Attributes attributes) throws RejectedException {
    demand(attributes.regular(), Rejection.NOT_REGULAR);
    demand(attributes.size() <= StepLayout.MAX_SIZE, Rejection.TOO_BIG);
    demand(StepLayout.isSize(attributes.size()), Rejection.BAD_SIZE);
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

  /** The words about checkpoints, as of the last read of the header, unchecked. */
  ByteBuffer checkpoint() {
    return buffer
        .slice(StepLayout.AT_CHECKPOINT, StepLayout.CHECKPOINT_BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Whether the rank is in a collective and waits for other ranks; empty if not reported. */
  Optional<Boolean> waiting() {
    long waiting = buffer.getLong(StepLayout.AT_WAITING);
    return waiting == StepLayout.OWN_WORK || waiting == StepLayout.IN_COLLECTIVE
        ? Optional.of(waiting == StepLayout.IN_COLLECTIVE)
        : Optional.empty();
  }

  /** In nanoseconds since the epoch, unchecked; 0 if the writer does not report it. */
  long waitingSince() {
    return buffer.getLong(StepLayout.AT_WAITING_SINCE);
  }

  /**
   * The stack frame of a loop that finishes no step, {@code train.py:88 forward}; empty if not
   * reported.
   */
  String frame() {
    return StepHeader.text(bytes, StepLayout.AT_FRAME, StepLayout.FRAME_BYTES);
  }

  /**
   * Reads, from any thread, when the loop ended, in nanoseconds since the epoch, unchecked; empty
   * if it has not.
   */
  OptionalLong endedNow() throws IOException, RejectedException {
    ByteBuffer phase = ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    readOn(phase, StepLayout.AT_PHASE);
    return Phase.of(phase.getLong(0)) == Phase.ENDED
        ? OptionalLong.of(phase.getLong(StepLayout.AT_PHASE_SINCE - StepLayout.AT_PHASE))
        : OptionalLong.empty();
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

  /** As it was when it was opened. */
  UserFile.Attributes inFile() {
    return file.attributes();
  }

  /** The lock of the process that writes it, as seen from the agent's PID namespace. */
  UserFile.Lock lock() throws IOException {
    return UserFile.lock(path, file.attributes());
  }

  @Override
  public void close() {
    file.close();
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
    /** Its owner is not the user of the process that writes it. */
    OWNER,
    /** Another file is of the same rank of the same run. */
    DUPLICATE,
    /** More ranks of one user, or of all, than are read; more files. */
    TOO_MANY,
    /** No process has its lock, and its process is not visible. */
    PROCESS_GONE,
    /** It became shorter while it was read. */
    TRUNCATED,
    /** Its counts decreased: two processes write to it. */
    TWO_WRITERS,
    /** Changed or replaced while it was read, or another process writes it; opened again. */
    REPLACED,
    NO_PERMISSION,
    IO;
  }
}
