package io.lapwing.training;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.training.PeakFlops.Precision;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeakFlopsTest {

  /** Words of PyTorch, Lightning, Accelerate and Transformer Engine. */
  @ParameterizedTest
  @CsvSource({
    "'', BF16",
    "bf16, BF16",
    "bf16-mixed, BF16",
    "BFloat16, BF16",
    "16-true, BF16",
    "fp16, BF16",
    "half, BF16",
    "torch.bfloat16, BF16",
    "amp_bf16, BF16",
    "amp_fp8, FP8",
    "fp8, FP8",
    "fp8-hybrid, FP8",
    "E4M3, FP8",
    "float8_e5m2, FP8",
    "32-true, ",
    "tf32, ",
    "fp32, ",
    "fp4, ",
    "nvfp4, ",
    "mxfp8, ",
    "int8, ",
    "fast, ",
  })
  void aWordMeansAFormatWithAKnownPeakOrNone(String reported, Precision format) {
    assertThat(Precision.of(reported)).isEqualTo(Optional.ofNullable(format));
  }
}
