package io.lapwing.nccl.ring;

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
import java.util.OptionalInt;

/**
 * An open ring file, read by position and never mapped: truncating a mapped file would crash the
 * agent with SIGBUS. Not thread-safe.
 */
final class RingFile implements AutoCloseable {

  private static final int MAX_GPUS = 1024;

  private final Path path;
  private final UserFile file;
  private final FileChannel channel;
  private final byte[] bytes = new byte[RingLayout.HEADER];
  private final ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  private final byte[] first;
  private final ByteBuffer word = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private RingFile(Path path, UserFile file) throws IOException, RejectedException {
    this.path = path;
    this.file = file;
    this.channel = file.channel();
    check(file.attributes());
    read(header.clear(), 0);
    checkHeader(channel.size());
    this.first = bytes.clone();
  }

  /** Opens and checks a file; one whose attributes exclude a ring file is not opened. */
  static RingFile open(Path path) throws RejectedException, NoSuchFileException {
    try {
      check(UserFile.Attributes.at(path));
      UserFile file = UserFile.open(path);
      try {
        return new RingFile(path, file);
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

  static Rejection reason(IOException failed) {
    return failed instanceof AccessDeniedException ? Rejection.NO_PERMISSION : Rejection.IO;
  }

  /** Checks the attributes without opening the file. */
  static void check(UserFile.Attributes attributes) throws RejectedException {
    demand(attributes.isRegular(), Rejection.NOT_REGULAR);
    demand(
        attributes.size() >= RingLayout.MIN_SIZE
            && attributes.size() <= RingLayout.MAX_SIZE
            && attributes.size() % RingLayout.RECORD == 0,
        Rejection.BAD_SIZE);
  }

  private void checkHeader(long size) throws RejectedException {
    byte[] magic = RingLayout.magic();
    demand(Arrays.equals(bytes, 0, magic.length, magic, 0, magic.length), Rejection.BAD_HEADER);
    demand(header.getInt(RingLayout.AT_VERSION) == RingLayout.VERSION, Rejection.VERSION);
    demand(
        header.getInt(RingLayout.AT_HEADER_SIZE) == RingLayout.HEADER
            && header.getInt(RingLayout.AT_RECORD_SIZE) == RingLayout.RECORD
            && header.getInt(RingLayout.AT_COMMUNICATOR_SIZE) == RingLayout.COMMUNICATOR
            && within(capacity(), RingLayout.MIN_CAPACITY, RingLayout.MAX_CAPACITY)
            && within(communicators(), 1, RingLayout.MAX_COMMUNICATORS)
            && within(api(), 1, 1000)
            && (header.getInt(RingLayout.AT_FLAGS) & RingLayout.FLAG_LOCKED) != 0,
        Rejection.BAD_HEADER);
    demand(size == recordsAt() + (long) capacity() * RingLayout.RECORD, Rejection.BAD_SIZE);
  }

  private static boolean within(int number, int least, int most) {
    return number >= least && number <= most;
  }

  private static void demand(boolean holds, Rejection otherwise) throws RejectedException {
    if (!holds) {
      throw new RejectedException(otherwise);
    }
  }

  /** Reads the header again. Its constant fields must not have changed. */
  void refresh() throws IOException, RejectedException {
    read(header.clear(), 0);
    demand(
        same(0, RingLayout.AT_WRITTEN) && same(RingLayout.AT_FIXED_AGAIN, RingLayout.HEADER),
        Rejection.REPLACED);
  }

  private boolean same(int from, int to) {
    return Arrays.equals(bytes, from, to, first, from, to);
  }

  Path path() {
    return path;
  }

  UserFile.Attributes attributes() {
    return file.attributes();
  }

  int capacity() {
    return header.getInt(RingLayout.AT_CAPACITY);
  }

  int communicators() {
    return header.getInt(RingLayout.AT_COMMUNICATORS);
  }

  /** The version of NCCL's plugin interface. */
  int api() {
    return header.getInt(RingLayout.AT_INTERFACE);
  }

  /** Number of records ever started, as of the last read of the header. */
  long written() {
    return header.getLong(RingLayout.AT_WRITTEN);
  }

  /** The same, read now. */
  long writtenNow() throws IOException, RejectedException {
    read(word.clear(), RingLayout.AT_WRITTEN);
    return word.getLong(0);
  }

  /** Collectives without a record; unchecked. */
  long lost() {
    return header.getLong(RingLayout.AT_LOST);
  }

  /** Communicators beyond the table; unchecked. */
  long refused() {
    return header.getLong(RingLayout.AT_REFUSED);
  }

  boolean isEnded() {
    return header.getLong(RingLayout.AT_ENDED) != 0;
  }

  /** The job, as its process calls it; empty if it does not. */
  String job() {
    // As in a step file: a slash separates the names of a rank.
    return RingText.of(header, RingLayout.AT_JOB, RingLayout.JOB_BYTES).replace('/', '_');
  }

  /** The rank in the job; empty if it is unknown. */
  OptionalInt rankOfJob() {
    int rank = header.getInt(RingLayout.AT_RANK_OF_JOB);
    return rank < 0 ? OptionalInt.empty() : OptionalInt.of(rank);
  }

  String gpuUuid() {
    return RingText.of(header, RingLayout.AT_GPU_UUID, RingLayout.GPU_UUID_BYTES);
  }

  OptionalInt gpuIndex() {
    int index = header.getInt(RingLayout.AT_GPU_INDEX);
    return within(index, 0, MAX_GPUS) ? OptionalInt.of(index) : OptionalInt.empty();
  }

  long recordsAt() {
    return RingLayout.HEADER + (long) communicators() * RingLayout.COMMUNICATOR;
  }

  /** Fills the buffer from a place of the file. */
  void read(ByteBuffer into, long from) throws IOException, RejectedException {
    long at = from;
    while (into.hasRemaining()) {
      int read = channel.read(into, at);
      demand(read > 0, Rejection.TRUNCATED);
      at += read;
    }
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

  /** Why a ring file is not read. */
  enum Rejection implements LabelWord {
    /** Characters that no writer uses. */
    BAD_NAME,
    /** A folder, symbolic link, FIFO, socket or device. */
    NOT_REGULAR,
    /** Not the size that its header demands. */
    BAD_SIZE,
    /** Another magic, or an impossible value. */
    BAD_HEADER,
    /** Another version of the layout. */
    VERSION,
    /** No process of its owner has its lock. */
    PROCESS_GONE,
    /** More than are read of one account, or of all. */
    TOO_MANY,
    /** It became shorter while it was read. */
    TRUNCATED,
    /** Its constant fields changed. */
    REPLACED,
    /** Another process has one of its ranks, or another account the communicator. */
    DUPLICATE,
    NO_PERMISSION,
    IO;
  }
}
