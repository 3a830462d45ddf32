package io.lapwing.agent.top;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A line of the screen: pieces of text, each with its tone. */
record Line(List<Span> spans) {

  static final Line EMPTY = new Line(List.of());

  /** The meaning of a piece of text; the words have it too, for terminals without colors. */
  enum Tone {
    PLAIN,
    TITLE,
    DIM,
    GOOD,
    WARN,
    BAD,
    UNKNOWN,
    ALERT
  }

  /**
   * Text for a terminal, one column for each character. Names of jobs, users and ranks are foreign:
   * control characters and those that may be wider than a column become question marks, here and
   * nowhere else.
   */
  record Span(Tone tone, String text) {

    /** From here on characters may combine or take two columns. */
    private static final int FIRST_UNSAFE = 0x300;

    private static final int SOFT_HYPHEN = 0xad;

    Span {
      text = text.codePoints().allMatch(Span::isSafe) ? text : cleaned(text);
    }

    static Span of(String text) {
      return new Span(Tone.PLAIN, text);
    }

    private static String cleaned(String text) {
      StringBuilder clean = new StringBuilder(text.length());
      text.codePoints().forEach(c -> clean.appendCodePoint(isSafe(c) ? c : '?'));
      return clean.toString();
    }

    private static boolean isSafe(int c) {
      return c < FIRST_UNSAFE && !Character.isISOControl(c) && c != SOFT_HYPHEN;
    }
  }

  Line {
    spans = List.copyOf(spans);
  }

  static Line of(Span... spans) {
    return new Line(List.of(spans));
  }

  static Line of(Tone tone, String text) {
    return of(new Span(tone, text));
  }

  int width() {
    return spans.stream().mapToInt(span -> span.text().length()).sum();
  }

  /** The first {@code width} columns. */
  Line cut(int width) {
    if (width() <= width) {
      return this;
    }
    List<Span> kept = new ArrayList<>();
    int left = width;
    for (Span span : spans) {
      String text = span.text().substring(0, Math.min(left, span.text().length()));
      left -= text.length();
      kept.add(new Span(span.tone(), text));
    }
    return new Line(kept);
  }

  /** As this, with all text in one tone. */
  Line in(Tone tone) {
    return of(tone, text());
  }

  String text() {
    return spans.stream().map(Span::text).collect(Collectors.joining());
  }
}
