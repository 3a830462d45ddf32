package io.lapwing.common.config;

import java.util.Collection;
import java.util.Comparator;

/** Suggests the known word closest to an unknown one. */
public final class SpellingHint {

  private SpellingHint() {}

  /** {@code "; did you mean x?"}, or an empty text if no known word is close. */
  public static String of(String word, Collection<String> known) {
    int reach = Math.max(1, word.length() / 4);
    return known.stream()
        // The difference in length is a lower bound of the distance: long words cost nothing.
        .filter(candidate -> Math.abs(candidate.length() - word.length()) <= reach)
        .filter(candidate -> distance(word, candidate) <= reach)
        .min(
            Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                .thenComparing(Comparator.naturalOrder()))
        .map(closest -> "; did you mean " + closest + "?")
        .orElse("");
  }

  /** Characters to insert, delete, substitute or exchange with their neighbour. */
  public static int distance(String typed, String meant) {
    int[][] of = new int[typed.length() + 1][meant.length() + 1];
    for (int i = 0; i <= typed.length(); i++) {
      for (int j = 0; j <= meant.length(); j++) {
        of[i][j] = i == 0 || j == 0 ? i + j : distance(typed, meant, i, j, of);
      }
    }
    return of[typed.length()][meant.length()];
  }

  private static int distance(String typed, String meant, int i, int j, int[][] of) {
    int substituted = typed.charAt(i - 1) == meant.charAt(j - 1) ? 0 : 1;
    int best = Math.min(Math.min(of[i - 1][j], of[i][j - 1]) + 1, of[i - 1][j - 1] + substituted);
    boolean exchanged =
        i > 1
            && j > 1
            && typed.charAt(i - 1) == meant.charAt(j - 2)
            && typed.charAt(i - 2) == meant.charAt(j - 1);
    return exchanged ? Math.min(best, of[i - 2][j - 2] + 1) : best;
  }
}
