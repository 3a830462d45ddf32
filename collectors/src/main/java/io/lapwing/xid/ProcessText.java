package io.lapwing.xid;

import java.util.List;
import java.util.Optional;

/**
 * The name and the message of {@code name=NAME, MESSAGE}.
 *
 * <p>The process chooses the name, which may contain the separator, so its end is ambiguous. It has
 * at most 15 bytes (the kernel's {@code comm}). Of the separators within that length, the last one
 * followed by a known start of a driver message wins, so that a name cannot pose as a message;
 * without a known start the first one wins. Address, number and pid precede the name and are not
 * affected.
 */
record ProcessText(Optional<String> name, String message) {

  private static final int MAX_NAME = 15;
  private static final String UNKNOWN = "<unknown>";

  /** Known starts of messages, from the open kernel modules 595.45.04 and from logs. */
  private static final List<String> STARTS =
      List.of(
          "Ch ",
          "Channel ",
          "Timeout after ",
          "Graphics ",
          "MMU Fault",
          "Contained: ",
          "Uncontained: ",
          "Row Remapper: ",
          "Dynamic Page Retirement",
          "GPU has fallen off the bus",
          "GPU recovery action changed",
          "NVLink",
          "SAW_",
          "RLW_",
          "TLW_",
          "TREX",
          "NVLPW",
          "NETIR",
          "MSE",
          "An uncorrectable ",
          "DBE ",
          "DRAM",
          "GSP",
          "SEC_",
          "Head ");

  static ProcessText split(String text) {
    int end = end(text);
    return end < 0
        ? new ProcessText(known(text.stripTrailing()), "")
        : new ProcessText(
            known(text.substring(0, end)), text.substring(Math.min(end + 2, text.length())));
  }

  /** The index of the separator after the name; negative if none. */
  private static int end(String text) {
    int first = separator(text, 0);
    int best = first;
    for (int i = first; i >= 0 && i <= MAX_NAME; i = separator(text, i + 1)) {
      if (startsMessage(text, i + 2)) {
        best = i;
      }
    }
    return best;
  }

  private static int separator(String text, int from) {
    int comma = text.indexOf(", ", from);
    return comma < 0 && text.length() > from && text.endsWith(",") ? text.length() - 1 : comma;
  }

  private static boolean startsMessage(String text, int at) {
    for (String start : STARTS) {
      if (text.startsWith(start, at)) {
        return true;
      }
    }
    return false;
  }

  private static Optional<String> known(String name) {
    return name.isEmpty() || name.equals(UNKNOWN) ? Optional.empty() : Optional.of(name);
  }
}
