package io.lapwing.agent.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** The known word that a mistyped one was probably meant to be. */
final class Nearest {

  private Nearest() {}

  /** " did you mean x?" after a semicolon, or nothing when no word is near. */
  static String hint(String word, Collection<String> known) {
    return to(word, known).map(near -> "; did you mean " + near + "?").orElse("");
  }

  static Optional<String> to(String word, Collection<String> known) {
    int reach = Math.max(1, word.length() / 4);
    return known.stream()
        // As many letters more or less are changes already: a word of any length costs nothing.
        .filter(candidate -> Math.abs(candidate.length() - word.length()) <= reach)
        .filter(candidate -> distance(word, candidate) <= reach)
        .min(Comparator.comparingInt(candidate -> distance(word, candidate)));
  }

  /** Levenshtein's: inserted, dropped and changed characters. */
  static int distance(String left, String right) {
    int[] row = new int[right.length() + 1];
    for (int j = 0; j <= right.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        int changed = diagonal + (left.charAt(i - 1) == right.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[right.length()];
  }
}
