package io.lapwing.simulator;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A counter in a state line: {@code 12}, or {@code 12 + 3/s since SECONDS max 40}. */
final class CounterLine {
  private static final Pattern FORM =
      Pattern.compile(
          "(\\d+(?:\\.\\d+)?)(?: *\\+ *(\\d+(?:\\.\\d+)?) */s)?"
              + "(?: *since +(\\d+(?:\\.\\d+)?))?(?: *max +(\\d+(?:\\.\\d+)?))?");

  private CounterLine() {}

  /** The value at that time; empty if the line has another form. */
  static Optional<Long> value(String line, double now, double epoch) {
    Matcher form = FORM.matcher(line.strip());
    if (!form.matches()) {
      return Optional.empty();
    }
    double rate = number(form.group(2), 0);
    double since = number(form.group(3), epoch);
    double ramp = number(form.group(1), 0) + rate * Math.max(0, now - since);
    return Optional.of(Math.round(Math.min(ramp, number(form.group(4), Double.MAX_VALUE))));
  }

  private static double number(@Nullable String text, double otherwise) {
    return text == null ? otherwise : Double.parseDouble(text);
  }
}
