package io.lapwing.simulator;

import java.util.Comparator;
import java.util.List;

/** The known name closest to a mistyped one. */
final class NearestName {

  private NearestName() {}

  /** {@code " (did you mean xid-79?)"}, or an empty text if no known name is close. */
  static String of(String typed, List<String> known) {
    int reach = Math.max(1, typed.length() / 4);
    return known.stream()
        .filter(name -> Math.abs(name.length() - typed.length()) <= reach)
        .filter(name -> distance(typed, name) <= reach)
        .min(Comparator.comparingInt(name -> distance(typed, name)))
        .map(name -> " (did you mean " + name + "?)")
        .orElse("");
  }

  /** Characters to insert, delete or substitute. */
  private static int distance(String left, String right) {
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
