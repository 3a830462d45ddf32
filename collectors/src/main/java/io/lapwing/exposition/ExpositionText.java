package io.lapwing.exposition;

import io.lapwing.exposition.ExpositionTally.Ending;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads pages, one after the other, line by line out of one buffer. A line that is malformed costs
 * itself. Not thread-safe: who reads two pages at a time has two of these.
 *
 * <pre>
 * SampleNames names = SampleNames.of(List.of("up", "x_seconds_bucket"));
 * ExpositionText text = new ExpositionText(names, ExpositionLimits.USUAL);
 * ExpositionTally tally =
 *     text.read(in, sample -> use(sample.name(), sample.label("le"), sample.value()));
 * </pre>
 */
public final class ExpositionText {

  /** As much as is asked of the stream at a time, where lines are shorter. */
  private static final int PIECE = 16 << 10;

  private final SampleNames names;
  private final ExpositionLimits limits;
  private final byte[] buffer;

  public ExpositionText(SampleNames names, ExpositionLimits limits) {
    this.names = names;
    this.limits = limits;
    // The longest line with its end.
    buffer = new byte[Math.max(PIECE, limits.lineBytes() + 2)];
  }

  /**
   * Reads a page to its end or to its limits, and leaves the stream open.
   *
   * @param in bytes of the page, decompressed
   * @param wanted takes each sample that is wanted, in the order of the page; what it throws ends
   *     the reading
   * @throws IOException of the stream; what was handed over before came of the page all the same
   */
  public ExpositionTally read(InputStream in, Consumer<ExposedSample> wanted) throws IOException {
    return new Page(wanted).read(in);
  }

  /** One page under way. */
  private final class Page {

    private final Consumer<ExposedSample> wanted;
    private final SampleLine line = new SampleLine(names, limits);
    private long bytes;
    private long lines;
    private long samples;
    private long malformed;
    private boolean ended;

    /** Within a line that does not fit. */
    private boolean skipping;

    Page(Consumer<ExposedSample> wanted) {
      this.wanted = wanted;
    }

    ExpositionTally read(InputStream in) throws IOException {
      int held = 0;
      while (!ended && lines < limits.lines()) {
        int got = in.read(buffer, held, room(held));
        if (got < 0) {
          return tally(held > 0 || skipping ? Ending.UNFINISHED : Ending.WHOLE);
        }
        bytes += got;
        held = lines(held, held + got);
        if (bytes > limits.bytes()) {
          return tally(ended ? Ending.WHOLE : Ending.TOO_LARGE);
        }
      }
      return tally(ended || (held == 0 && in.read() < 0) ? Ending.WHOLE : Ending.TOO_MANY_LINES);
    }

    /** One byte more than may be, so that a page of just that size is seen to end. */
    private int room(int held) {
      return (int) Math.min(buffer.length - held, limits.bytes() + 1 - bytes);
    }

    /**
     * Reads the lines that are whole; how many bytes of the next one lie at the beginning then.
     *
     * @param unended how many bytes at the beginning have no end of line among them
     * @param held how many there are in all
     */
    private int lines(int unended, int held) {
      int from = 0;
      for (int at = unended; at < held && !ended && lines < limits.lines(); at++) {
        if (buffer[at] == '\n') {
          line(from, at);
          from = at + 1;
        }
      }
      int left = held - from;
      if (left == buffer.length) {
        skipping = true;
        return 0;
      }
      System.arraycopy(buffer, from, buffer, 0, left);
      return left;
    }

    private void line(int from, int newline) {
      lines++;
      int to = newline > from && buffer[newline - 1] == '\r' ? newline - 1 : newline;
      if (skipping || to - from > limits.lineBytes()) {
        skipping = false;
        malformed++;
        return;
      }
      switch (line.read(buffer, from, to)) {
        case WANTED -> {
          samples++;
          wanted.accept(line.sample());
        }
        case MALFORMED -> malformed++;
        case END_OF_PAGE -> ended = true;
        case OTHER -> {}
      }
    }

    private ExpositionTally tally(Ending ending) {
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < line.prefixes().length; i++) {
        if (line.prefixes()[i]) {
          seen.add(names.prefixes().get(i));
        }
      }
      return new ExpositionTally(bytes, lines, samples, malformed, seen, ending);
    }
  }
}
