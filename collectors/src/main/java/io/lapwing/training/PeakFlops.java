package io.lapwing.training;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** Peak compute throughput of the GPUs of this node. */
public interface PeakFlops {

  /** Of an unknown node. */
  PeakFlops UNKNOWN = precision -> OptionalDouble.empty();

  /** Dense, of one GPU, in floating-point operations a second; empty if unknown. */
  OptionalDouble of(Precision precision);

  /** Number formats with a known peak throughput. */
  enum Precision {
    BF16,
    FP8;

    /**
     * The format whose peak a loop is measured against. fp16 counts as bf16, whose peak is the same
     * on every GPU that has both, and so does a loop that reports none. Empty for formats without a
     * known peak here, such as tf32, fp32 and fp4.
     */
    static Optional<Precision> of(String reported) {
      return switch (reported.toLowerCase(Locale.ROOT)) {
        case "", "bf16", "fp16", "bfloat16", "float16" -> Optional.of(BF16);
        case "fp8" -> Optional.of(FP8);
        default ->
            reported.matches("(?i)(tf|fp|float|int|nvfp|mxfp)\\d+")
                ? Optional.empty()
                : Optional.of(BF16);
      };
    }
  }
}
