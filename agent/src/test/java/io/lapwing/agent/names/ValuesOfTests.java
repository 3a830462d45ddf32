package io.lapwing.agent.names;

import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Scale;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The input series of promtool's tests in the units of 4.9: {@code 1980x3} MHz as Hz. */
final class ValuesOfTests {

  private static final Pattern SERIES =
      Pattern.compile(
          "(?<start>series: '?(?<name>DCGM_\\w+)\\{[^}]*}'?,?\\s+values: +'?)(?<values>[^'\\n}]*)");

  /** A value and its step in promtool's notation; not the number of repetitions. */
  private static final Pattern NUMBER = Pattern.compile("(?<![x\\d.])\\d+(?:\\.\\d+)?");

  private ValuesOfTests() {}

  static String scaled(String test) {
    return SERIES
        .matcher(test)
        .replaceAll(
            series ->
                Matcher.quoteReplacement(
                    DcgmNames.SHIPPED
                        .ofClassic(series.group(2))
                        .flatMap(DcgmNames.Rename::scale)
                        .map(scale -> series.group(1) + values(series.group(3), scale))
                        .orElse(series.group())));
  }

  private static String values(String values, Scale scale) {
    return NUMBER.matcher(values).replaceAll(number -> of(number.group(), scale));
  }

  private static String of(String number, Scale scale) {
    BigDecimal value = new BigDecimal(number);
    BigDecimal by = BigDecimal.valueOf(scale.by());
    BigDecimal scaled =
        scale.divides() ? value.divide(by, MathContext.DECIMAL64) : value.multiply(by);
    return scaled.toPlainString();
  }
}
