package io.lapwing.node;

/**
 * A property of the node with its origin.
 *
 * @param text empty while unknown
 */
public record Fact(String text, Origin origin) {

  public static final Fact UNKNOWN = new Fact("", Origin.UNKNOWN);

  /** {@link #UNKNOWN} for an empty text. */
  static Fact of(String text, Origin origin) {
    return text.isEmpty() ? UNKNOWN : new Fact(text, origin);
  }

  /** This, or the other if this is unknown. */
  Fact or(Fact other) {
    return text.isEmpty() ? other : this;
  }
}
