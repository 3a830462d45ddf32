package io.lapwing.agent.cli;

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
          "events",
          "help",
          "maintenance",
          "metrics",
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
        .filter(command -> mistakes(word, command) <= Math.min(MAX_MISTAKES, command.length() - 1))
        .min(Comparator.comparingInt(command -> mistakes(word, command)));
  }

  /** Letters to add, leave out, replace or exchange with their neighbour. */
  private static int mistakes(String typed, String meant) {
    int[][] of = new int[typed.length() + 1][meant.length() + 1];
    for (int i = 0; i <= typed.length(); i++) {
      for (int j = 0; j <= meant.length(); j++) {
        of[i][j] = i == 0 || j == 0 ? i + j : mistakes(typed, meant, i, j, of);
      }
    }
    return of[typed.length()][meant.length()];
  }

  private static int mistakes(String typed, String meant, int i, int j, int[][] of) {
    int replaced = typed.charAt(i - 1) == meant.charAt(j - 1) ? 0 : 1;
    int best = Math.min(Math.min(of[i - 1][j], of[i][j - 1]) + 1, of[i - 1][j - 1] + replaced);
    boolean exchanged =
        i > 1
            && j > 1
            && typed.charAt(i - 1) == meant.charAt(j - 2)
            && typed.charAt(i - 2) == meant.charAt(j - 1);
    return exchanged ? Math.min(best, of[i - 2][j - 2] + 1) : best;
  }
}
