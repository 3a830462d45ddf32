package io.lapwing.training;

import java.util.Locale;
import java.util.Optional;

/** The formats of numbers for which the peak of a GPU is known. */
public enum Precision {
  BF16,
  FP8;

  /**
   * Against which peak a loop is measured: one in fp16 has that of bf16, which is the same on every
   * GPU that has both, and one that does not say so is taken for bf16. Empty where the peak of its
   * format is not known here, as of tf32, fp32 and fp4.
   */
  static Optional<Precision> of(String told) {
    return switch (told.toLowerCase(Locale.ROOT)) {
      case "", "bf16", "fp16", "bfloat16", "float16" -> Optional.of(BF16);
      case "fp8" -> Optional.of(FP8);
      default ->
          told.matches("(?i)(tf|fp|float|int|nvfp|mxfp)\\d+")
              ? Optional.empty()
              : Optional.of(BF16);
    };
  }
}
