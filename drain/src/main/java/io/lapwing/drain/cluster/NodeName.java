package io.lapwing.drain.cluster;

import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a node in its scheduler. Labels of alerts are input of strangers: a name is a host
 * name and nothing else, so that it can be neither a flag nor a host list of a command.
 *
 * @param text letters, digits, dots, dashes and underscores, at most 253; starts with a letter or
 *     digit
 */
public record NodeName(String text) implements Comparable<NodeName> {

  private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,252}");

  /**
   * @throws IllegalArgumentException if the text is no name
   */
  public NodeName {
    if (!VALID.matcher(text).matches()) {
      throw new IllegalArgumentException("not the name of a node");
    }
  }

  /** Empty if the text is no name. */
  public static Optional<NodeName> parse(String text) {
    return VALID.matcher(text).matches() ? Optional.of(new NodeName(text)) : Optional.empty();
  }

  /** As generated, and faster: names are compared a thousand times a round. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeName name && name.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public int compareTo(NodeName other) {
    return text.compareTo(other.text);
  }

  @Override
  public String toString() {
    return text;
  }
}
