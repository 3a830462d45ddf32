package io.lapwing.node;

/**
 * One thing that is known of the node, and who says so.
 *
 * @param text empty while nobody says it
 */
public record Fact(String text, Origin origin) {

  public static final Fact UNKNOWN = new Fact("", Origin.NOBODY);

  /** What somebody says; nothing is known by an empty text. */
  static Fact of(String text, Origin origin) {
    return text.isEmpty() ? UNKNOWN : new Fact(text, origin);
  }

  /** This, or the other where nobody says this. */
  Fact or(Fact other) {
    return text.isEmpty() ? other : this;
  }
}
