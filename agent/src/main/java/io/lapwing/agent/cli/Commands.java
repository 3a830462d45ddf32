package io.lapwing.agent.cli;

import io.lapwing.common.config.SpellingHint;
import io.lapwing.common.text.PlainText;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The commands of {@code lapwing}, to suggest one for a mistyped word. */
public final class Commands {

  /** Exit code: a script that mistypes {@code check} must not take it for a failing node. */
  public static final int UNKNOWN = Check.ExitCode.USAGE;

  private static final List<String> ALL =
      List.of(
          "agent",
          "check",
          "clear",
          "dcgm-exporter",
          "events",
          "help",
          "maintenance",
          "metrics",
          "migrate",
          "policy",
          "release",
          "replay",
          "support-bundle",
          "test-finding",
          "top",
          "version");

  /** With more mistakes it is another word. */
  private static final int MAX_MISTAKES = 2;

  private Commands() {}

  /** {@code unknown command 'chek' (did you mean check?); lapwing help lists all commands}. */
  public static String unknown(String word) {
    String meant = nearest(word).map(command -> " (did you mean " + command + "?)").orElse("");
    return "unknown command '"
        + PlainText.of(word)
        + "'"
        + meant
        + "; lapwing help lists all commands";
  }

  static Optional<String> nearest(String word) {
    return ALL.stream()
        .filter(
            command ->
                SpellingHint.distance(word, command)
                    <= Math.min(MAX_MISTAKES, command.length() - 1))
        .min(Comparator.comparingInt(command -> SpellingHint.distance(word, command)));
  }
}
