package io.lapwing.rules.promql;

/**
 * A label matcher.
 *
 * @param operator {@code =}, {@code !=}, {@code =~} or {@code !~}
 * @param value unquoted
 */
public record Matcher(String label, String operator, String value) {

  public boolean isRegex() {
    return operator.endsWith("~");
  }
}
