package io.lapwing.linux;

import io.lapwing.collect.Reading;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A small file of the kernel that is read again and again through one descriptor, from its
 * beginning each time: that asks the kernel anew and costs a tenth of opening it. For one thread at
 * a time.
 */
public final class HeldFile implements AutoCloseable {

  /** After these the descriptor may be of something that is no more, while the name is not. */
  private static final Set<String> WORTH_ANOTHER = Set.of(FileFailure.GONE, FileFailure.IO);

  private final Path path;
  private final String question;
  private @Nullable FileChannel channel;

  /** Not yet opened. */
  public HeldFile(Path path) {
    this.path = path;
    this.question = path.toString();
  }

  /**
   * What is in it now, as far as there is room. A file that is not there is missing; opened anew,
   * once, where the descriptor has grown useless.
   *
   * @param into a direct buffer; cleared, then filled and flipped
   */
  public Reading<ByteBuffer> read(ByteBuffer into) {
    boolean held = channel != null;
    Reading<ByteBuffer> first = readOnce(into);
    boolean again = held && first.failure().filter(WORTH_ANOTHER::contains).isPresent();
    if (!again) {
      return first;
    }
    close();
    return readOnce(into);
  }

  private Reading<ByteBuffer> readOnce(ByteBuffer into) {
    into.clear();
    try {
      open().read(into, 0);
    } catch (NoSuchFileException notThere) {
      return new Reading.Missing<>(question);
    } catch (IOException failed) {
      return new Reading.Failed<>(question, FileFailure.word(failed));
    }
    return Reading.of(into.flip());
  }

  private FileChannel open() throws IOException {
    FileChannel open = channel;
    if (open == null) {
      open = FileChannel.open(path, StandardOpenOption.READ);
      channel = open;
    }
    return open;
  }

  /** The number in it; anything else is malformed. */
  public Reading<Double> number(ByteBuffer into) {
    Reading<ByteBuffer> read = read(into);
    if (!(read instanceof Reading.Present<ByteBuffer>)) {
      return read.map(never -> 0.0);
    }
    var number = UnsignedDecimal.parse(into);
    // A number that fills the buffer may go on behind it.
    return number.isPresent() && into.limit() < into.capacity()
        ? Reading.of(number.getAsDouble())
        : new Reading.Failed<>(question, "malformed");
  }

  /** Gives the descriptor back; the next read opens the file again. */
  @Override
  public void close() {
    FileChannel open = channel;
    channel = null;
    if (open != null) {
      try {
        open.close();
      } catch (IOException alreadyGone) {
        // Nothing was written, so nothing is lost.
      }
    }
  }
}
