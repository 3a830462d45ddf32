package io.lapwing.exposition;

import java.io.IOException;
import java.io.InputStream;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/** Streams the Prometheus text format, skips malformed lines; reusable, not thread-safe. */
public final class ExpositionText {

  /** Read size, unless lines are longer. */
  private static final int PIECE = 16 << 10;

  private final SampleNames names;
  private final Limits limits;
  private final byte[] buffer;

  public ExpositionText(SampleNames names, Limits limits) {
    this.names = names;
    this.limits = limits;
    // The longest line and its terminator.
    buffer = new byte[Math.max(PIECE, limits.lineBytes() + 2)];
  }

  /**
   * Reads decompressed bytes to the end or the limits, leaves the stream open, and passes on each
   * wanted sample in input order; samples passed on before an exception are valid.
   */
  public Tally read(InputStream in, Consumer<ExposedSample> wanted) throws IOException {
    return new Page(wanted).read(in);
  }

  private final class Page {

    private final Consumer<ExposedSample> wanted;
    private final SampleLine line = new SampleLine(names, limits);
    private long bytes;
    private long lines;
    private long samples;
    private long malformed;
    private boolean ended;

    /** Within a line that exceeds the limit. */
    private boolean skipping;

    Page(Consumer<ExposedSample> wanted) {
      this.wanted = wanted;
    }

    Tally read(InputStream in) throws IOException {
      int held = 0;
      while (!ended && lines < limits.lines()) {
        int got = in.read(buffer, held, room(held));
        if (got < 0) {
          return tally(held > 0 || skipping ? Tally.Ending.UNFINISHED : Tally.Ending.WHOLE);
        }
        bytes += got;
        held = lines(held, held + got);
        if (bytes > limits.bytes()) {
          return tally(ended ? Tally.Ending.WHOLE : Tally.Ending.TOO_LARGE);
        }
      }
      return tally(
          ended || (held == 0 && in.read() < 0) ? Tally.Ending.WHOLE : Tally.Ending.TOO_MANY_LINES);
    }

    /** One byte more than the limit, so that the end of an input of exactly that size is seen. */
    private int room(int held) {
      return (int) Math.min(buffer.length - held, limits.bytes() + 1 - bytes);
    }

    /** Handles the complete lines; returns the bytes of an incomplete one moved to the start. */
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

    private Tally tally(Tally.Ending ending) {
      Set<String> seen = new HashSet<>();
      for (int i = 0; i < line.prefixes().length; i++) {
        if (line.prefixes()[i]) {
          seen.add(names.prefixes().get(i));
        }
      }
      return new Tally(bytes, lines, samples, malformed, seen, ending);
    }
  }

  /**
   * Limits for untrusted input.
   *
   * @param bytes of the input; the rest is not read
   * @param lines of the input; the rest is not read
   * @param lineBytes of a line; a longer one is malformed
   * @param labels of a sample; one with more is malformed
   * @param labelBytes of a label value as written; a longer one is malformed
   */
  public record Limits(long bytes, long lines, int lineBytes, int labels, int labelBytes) {

    public Limits {
      if (bytes < 1 || lines < 1 || lineBytes < 1 || labels < 0 || labelBytes < 0) {
        throw new IllegalArgumentException("the limits leave no room for a sample");
      }
    }

    /**
     * Four times an engine with eight indexes: 2 MiB, 20,000 lines of 16 KiB, 64 labels of 4 KiB.
     */
    public static final Limits DEFAULT = new Limits(2 << 20, 20_000, 16 << 10, 64, 4 << 10);
  }

  /**
   * The result of reading.
   *
   * @param bytes read
   * @param lines read, including comments and empty ones
   * @param samples handed over
   * @param malformed lines that are neither a sample, a comment nor empty; of samples that are not
   *     wanted only the name is checked
   * @param prefixes which of the {@link SampleNames#prefixes()} occurred
   * @param ending how the input ended
   */
  public record Tally(
      long bytes,
      long lines,
      long samples,
      long malformed,
      Set<String> prefixes,
      Tally.Ending ending) {

    public Tally {
      prefixes = Set.copyOf(prefixes);
    }

    public enum Ending {
      /** With a complete line, or with OpenMetrics' {@code # EOF}. */
      WHOLE,
      /** Within a line, which was dropped: its number may be incomplete. */
      UNFINISHED,
      TOO_LARGE,
      TOO_MANY_LINES
    }
  }
}
