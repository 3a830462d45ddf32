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
     * The format whose peak a loop is measured against. fp16, and a loop that reports none, count
     * as bf16, with the same peak on every GPU that has both. Empty for formats without a known
     * peak, such as tf32, fp32 and fp4, and for other words.
     */
    static Optional<Precision> of(String reported) {
      String word = reported.toLowerCase(Locale.ROOT).replaceFirst("^(torch\\.|amp_)", "");
      if (word.matches("(bf|bfloat|fp|float)?16([-_].*)?|half|")) {
        return Optional.of(BF16);
      }
      return word.matches("(fp8|float8|e4m3|e5m2)([-_].*)?") ? Optional.of(FP8) : Optional.empty();
    }
  }
}
