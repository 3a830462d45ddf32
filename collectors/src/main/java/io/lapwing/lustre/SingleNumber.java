package io.lapwing.lustre;

import io.lapwing.linux.KernelNumber;
import io.lapwing.linux.KernelText;
import io.lapwing.linux.ParseFailure;
import java.util.OptionalDouble;

/** A file that holds one number and nothing else. */
final class SingleNumber {

  private SingleNumber() {}

  static double parse(KernelText text) throws ParseFailure {
    OptionalDouble number =
        text.lines().size() == 1
            ? KernelNumber.decimal(text.lines().get(0).strip())
            : OptionalDouble.empty();
    if (number.isEmpty()) {
      throw text.failure(0, "no number of 64 bits");
    }
    return number.getAsDouble();
  }
}
