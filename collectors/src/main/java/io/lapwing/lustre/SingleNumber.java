package io.lapwing.lustre;

import io.lapwing.linux.ParseFailure;
import java.util.OptionalDouble;

/** A file that holds one number and nothing else. */
final class SingleNumber {

  private SingleNumber() {}

  static double parse(String file, String text) throws ParseFailure {
    OptionalDouble number = Digits.decimal(text.strip());
    if (number.isEmpty()) {
      throw new ParseFailure(file, 1, "no number of 64 bits");
    }
    return number.getAsDouble();
  }
}
