package io.lapwing.inference;

import io.lapwing.exposition.ExposedSample;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Why requests finished, in words that all engines share. */
final class FinishReason {

  static final String ERROR = "error";
  static final String OTHER = "other";

  /** The words of vLLM and TensorRT-LLM; others are rare and could be many. */
  private static final Set<String> KNOWN = Set.of("stop", "length", "abort", ERROR);

  private FinishReason() {}

  /** Empty if the engine does not report it. */
  static String of(EngineSeries series, ExposedSample sample) {
    return switch (series.engine()) {
      case VLLM, TENSORRT_LLM -> word(sample.label("finished_reason"));
      case DYNAMO -> ERROR.equals(sample.label("status")) ? ERROR : "";
      case TGI -> series.name().endsWith("failure") ? ERROR : "";
      case SGLANG -> "";
    };
  }

  private static String word(@Nullable String reason) {
    if (reason == null || reason.isEmpty()) {
      return "";
    }
    return KNOWN.contains(reason) ? reason : OTHER;
  }
}
