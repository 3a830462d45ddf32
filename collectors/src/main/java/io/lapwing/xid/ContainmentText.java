package io.lapwing.xid;

import io.lapwing.xid.XidDetail.Containment;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * 94 and 95: {@code Contained: CE User Channel (0x9). RST: No, D-RST: No}, with one, two or three
 * places in the brackets, or none, and for memory {@code physAddr: 0x00001000} before {@code RST}.
 */
final class ContainmentText {

  private static final Pattern WORDS =
      Pattern.compile("(Contained|Uncontained): ([^(.\\n]++)(?s:(.*))");
  private static final Pattern RESET = Pattern.compile("[ .]RST: (Yes|No)\\b");
  private static final Pattern DRAIN_AND_RESET = Pattern.compile(" D-RST: (Yes|No)\\b");

  private ContainmentText() {}

  static XidDetail read(String message) {
    Matcher words = WORDS.matcher(message);
    return words.matches()
        ? new Containment(
            words.group(1).equals("Contained"),
            words.group(2).strip(),
            yes(RESET, words.group(3)),
            yes(DRAIN_AND_RESET, words.group(3)))
        : XidDetail.NONE;
  }

  private static Optional<Boolean> yes(Pattern pattern, String text) {
    Matcher answer = pattern.matcher(text);
    return answer.find() ? Optional.of(answer.group(1).equals("Yes")) : Optional.empty();
  }
}
