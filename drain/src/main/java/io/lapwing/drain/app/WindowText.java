package io.lapwing.drain.app;

import io.lapwing.common.config.ValueType.Invalid;
import io.lapwing.common.text.PlainText;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.policy.Window;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** {@code mon-fri 22:00-06:00 Europe/Berlin permit reboot/replace}. */
final class WindowText {
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  private WindowText() {}

  /** A list, separated by commas. */
  static List<Window> parse(String text) throws Invalid {
    List<Window> windows = new ArrayList<>();
    for (String one : text.isEmpty() ? new String[0] : text.split(",", -1)) {
      windows.add(window(one.strip().toLowerCase(Locale.ROOT), one.strip()));
    }
    return List.copyOf(windows);
  }

  private static Window window(String lower, String text) throws Invalid {
    String[] words = lower.split(" +", -1);
    try {
      if (words.length >= 4 && words.length <= 5 && words[3].matches("permit|refuse")) {
        String[] times = words[1].split("-", 2);
        return new Window(
            days(words[0]),
            LocalTime.parse(times[0]),
            LocalTime.parse(times[times.length - 1]),
            ZoneId.of(text.split(" +", -1)[2]),
            words.length == 5 ? verbs(words[4]) : Set.of(),
            words[3].equals("refuse"));
      }
    } catch (DateTimeException | IllegalArgumentException wrong) {
      // Falls through to the error below.
    }
    throw new Invalid(
        "has '"
            + PlainText.of(text, 80)
            + "', which is not a window such as mon-fri 08:00-18:00 Europe/Berlin refuse"
            + " reboot/replace");
  }

  private static Set<DayOfWeek> days(String text) {
    String[] ends = text.split("-", 2);
    int first = DAYS.indexOf(ends[0]);
    int last = DAYS.indexOf(ends[ends.length - 1]);
    if (first < 0 || last < 0) {
      throw new IllegalArgumentException("not days");
    }
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (int day = first; ; day = (day + 1) % DAYS.size()) {
      days.add(DayOfWeek.of(day + 1));
      if (day == last) {
        return days;
      }
    }
  }

  private static Set<Verb> verbs(String text) {
    Set<Verb> verbs = EnumSet.noneOf(Verb.class);
    for (String word : text.split("/", -1)) {
      verbs.add(Verb.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')));
    }
    return verbs;
  }
}
