package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/** A kernel file re-read from its start through one descriptor. One thread at a time. */
public final class OpenFile implements AutoCloseable {

  private static final String MISSING = "missing";

  private final Path folder;
  private final String name;
  private @Nullable FileChannel channel;

  /** The last content that was a number, and that number: most files do not change. */
  private byte[] lastText = {};

  private @Nullable Reading<Double> lastNumber;

  /**
   * The file is opened by the first read. Its path is made when it is needed: a node with 32
   * network devices has more than a thousand of these files.
   */
  public OpenFile(Path folder, String name) {
    this.folder = folder;
    this.name = name;
  }

  private Path path() {
    return folder.resolve(name);
  }

  /** Reads a number from 0 to 2^64-1, else malformed; missing if the file does not exist. */
  public Reading<Double> number(ReadBuffer into) {
    String why = read(into);
    if (why != null) {
      return why.equals(MISSING)
          ? new Reading.Missing<>(path().toString())
          : new Reading.Failed<>(path().toString(), why);
    }
    Reading<Double> last = lastNumber;
    if (last != null
        && Arrays.equals(lastText, 0, lastText.length, into.bytes(), 0, into.length())) {
      return last;
    }
    OptionalDouble number =
        into.isFull() ? OptionalDouble.empty() : KernelNumber.unsigned(into.bytes(), into.length());
    if (number.isEmpty()) {
      return new Reading.Failed<>(path().toString(), "malformed");
    }
    Reading<Double> read = Reading.of(number.getAsDouble());
    lastText = Arrays.copyOf(into.bytes(), into.length());
    lastNumber = read;
    return read;
  }

  /** Reopens a file once that may have been replaced; returns why it could not be read, or null. */
  private @Nullable String read(ReadBuffer into) {
    boolean wasOpen = channel != null;
    String why = readOnce(into);
    if (why == null || !wasOpen || !(why.equals(FileFailure.GONE) || why.equals(FileFailure.IO))) {
      return why;
    }
    close();
    return readOnce(into);
  }

  private @Nullable String readOnce(ReadBuffer into) {
    try {
      into.fill(open());
      return null;
    } catch (NoSuchFileException notThere) {
      return MISSING;
    } catch (IOException failed) {
      return FileFailure.reason(failed);
    }
  }

  private FileChannel open() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = FileChannel.open(path(), StandardOpenOption.READ);
      channel = open;
    }
    return open;
  }

  /** Closes the descriptor; the next read opens the file again. */
  @Override
  public void close() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException alreadyGone) {
        // No data was written, so none is lost.
      }
    }
  }

  /**
   * A buffer for small files outside the heap, where the kernel writes directly; copied at once, as
   * single-byte access there is slow.
   */
  public static final class ReadBuffer {

    private final ByteBuffer outside;
    private final byte[] bytes;
    private int length;

    /** A file that fills the capacity may be longer. */
    public ReadBuffer(int capacity) {
      outside = ByteBuffer.allocateDirect(capacity);
      bytes = new byte[capacity];
    }

    void fill(FileChannel file) throws IOException {
      outside.clear();
      length = Math.max(0, file.read(outside, 0));
      outside.get(0, bytes, 0, length);
    }

    byte[] bytes() {
      return bytes;
    }

    int length() {
      return length;
    }

    boolean isFull() {
      return length == bytes.length;
    }
  }
}
