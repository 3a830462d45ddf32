package io.lapwing.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;

/**
 * Something that reads what others wrote. Whatever it is fed, it returns, soon, and with bounded
 * memory; the failures that it declares are no finding, everything else that it throws is one.
 *
 * @param name of it in commands and folders
 * @param seeds inputs that make sense
 * @param recordings files of the repository that are seeds too, as globs
 */
public record Target(String name, Body body, List<String> seeds, List<String> recordings) {

  /** Reads one input. */
  public interface Body {
    void feed(byte[] input) throws Exception;
  }

  /** Reads one input as text. */
  public interface TextBody {
    void feed(String input) throws Exception;
  }

  public static Target ofBytes(String name, Body body) {
    return new Target(name, body, List.of(), List.of());
  }

  /** A target for UTF-8 text; invalid bytes become U+FFFD, as in the agent. */
  public static Target ofText(String name, TextBody body) {
    return ofBytes(name, input -> body.feed(new String(input, UTF_8)));
  }

  /** With inputs that make sense. */
  public Target seeds(String... inputs) {
    return new Target(name, body, List.of(inputs), recordings);
  }

  /** With files of the repository, such as {@code collectors/src/test/resources/lustre/**}. */
  public Target recordings(String... globs) {
    return new Target(name, body, seeds, List.of(globs));
  }

  /** A reader returned an impossible result for an input. */
  public static void demand(boolean holds, String what) {
    if (!holds) {
      throw new AssertionError(what);
    }
  }
}
