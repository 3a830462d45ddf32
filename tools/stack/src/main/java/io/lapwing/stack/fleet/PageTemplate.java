package io.lapwing.stack.fleet;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A recorded response from which responses of any number of nodes can be made for any time.
 *
 * @param pieces in order
 * @param series number of series
 * @param length length of the recorded response in bytes
 */
record PageTemplate(List<Piece> pieces, int series, int length) {

  PageTemplate {
    pieces = List.copyOf(pieces);
  }

  /**
   * @param between the time from the first recording to the second
   */
  static PageTemplate of(RecordedPage first, RecordedPage second, Duration between) {
    double seconds = between.toMillis() / 1e3;
    Map<String, Double> before = first.values();
    Pieces pieces = new Pieces();
    for (RecordedPage.Line line : second.lines()) {
      if (line instanceof RecordedPage.Sample sample) {
        pieces.add(new Piece.Fixed(sample.name()));
        Identities.in(sample.labels()).forEach(pieces::add);
        pieces.add(new Piece.Fixed(" "));
        pieces.add(value(sample, before.getOrDefault(sample.series(), sample.value()), seconds));
        pieces.add(new Piece.Fixed("\n"));
      } else if (line instanceof RecordedPage.Comment comment) {
        pieces.add(new Piece.Fixed(comment.text() + "\n"));
      }
    }
    List<Piece> all = pieces.all();
    int length =
        all.stream().mapToInt(p -> p instanceof Piece.Fixed f ? f.text().length() : 12).sum();
    return new PageTemplate(all, second.samples().size(), length);
  }

  private static Piece value(RecordedPage.Sample sample, double before, double seconds) {
    double now = sample.value();
    boolean whole = isWhole(before) && isWhole(now);
    if (Double.compare(before, now) == 0 || !Double.isFinite(now) || !Double.isFinite(before)) {
      PageText constant = new PageText(24);
      constant.add(now, whole);
      return new Piece.Fixed(constant.toString());
    }
    if (sample.cumulative()) {
      return new Piece.Counting(now, Math.max(0, now - before) / seconds, whole);
    }
    return sample.name().endsWith("_timestamp_seconds")
        ? new Piece.Passing(now)
        : new Piece.Swaying(before, now, whole);
  }

  private static boolean isWhole(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1L << 53;
  }

  PageText page(PlayedNode node, double seconds) {
    PageText page = new PageText(length + length / 8);
    for (Piece piece : pieces) {
      piece.write(page, node, seconds);
    }
    return page;
  }

  /** Joins adjacent text, because most of a response is constant. */
  private static final class Pieces {
    private final List<Piece> done = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();

    void add(Piece piece) {
      if (piece instanceof Piece.Fixed fixed) {
        text.append(fixed.text());
      } else {
        flush();
        done.add(piece);
      }
    }

    List<Piece> all() {
      flush();
      return done;
    }

    private void flush() {
      if (!text.isEmpty()) {
        done.add(new Piece.Fixed(text.toString()));
        text.setLength(0);
      }
    }
  }
}
