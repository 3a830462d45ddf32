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

  /** Levenshtein distance: inserted, deleted and substituted characters. */
  public static int distance(String left, String right) {
    int[] row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int substituted = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substituted, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
