package io.lapwing.lustre;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Lines {@code max_cached_mb: 64234} or {@code statahead total: 12}, in file order. */
record NumberLines(Map<String, Double> numbers) {

  private static final Pattern LINE =
      Pattern.compile("([A-Za-z][A-Za-z_ -]{0,40}):[ \\t]*([0-9.]{1,40})[ \\t]*");

  NumberLines {
    numbers = Collections.unmodifiableMap(new LinkedHashMap<>(numbers));
  }

  static NumberLines parse(KernelText text) throws ParseFailure {
    if (text.lines().isEmpty()) {
      throw text.failure(0, "empty");
    }
    Map<String, Double> numbers = new LinkedHashMap<>();
    for (int i = 0; i < text.lines().size(); i++) {
      Matcher form = LINE.matcher(text.lines().get(i));
      OptionalDouble number =
          form.matches() ? KernelNumber.decimal(form.group(2)) : OptionalDouble.empty();
      if (number.isEmpty()) {
        throw text.failure(i, "not a name with a number");
      }
      numbers.put(form.group(1), number.getAsDouble());
    }
    return new NumberLines(numbers);
  }

  /** A file that contains one number and nothing else. */
  static double single(KernelText text) throws ParseFailure {
    OptionalDouble number =
        text.lines().size() == 1
            ? KernelNumber.decimal(text.lines().get(0).strip())
            : OptionalDouble.empty();
    if (number.isEmpty()) {
      throw text.failure(0, "not a 64-bit number");
    }
    return number.getAsDouble();
  }

  OptionalDouble get(String name) {
    Double number = numbers.get(name);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }
}
