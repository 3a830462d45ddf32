package io.lapwing.inference;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An inference engine, recognized by metric names. The first match wins: vLLM behind an adapter
 * also exposes TGI's names, and a Dynamo worker those of the engine that it runs.
 */
enum Engine {
  VLLM("vllm", "model_name", "vllm:", ""),
  /** Its router writes {@code sglang_}. */
  SGLANG("sglang", "model_name", "sglang:", "sglang_"),
  /** Dynamo up to 0.6 wrote {@code trtllm:}. */
  TENSORRT_LLM("trtllm", "model_name", "trtllm_", "trtllm:"),
  TGI("tgi", "", "tgi_", ""),
  /** The prefix is configurable; NIM's is known too. */
  DYNAMO("dynamo", "model", "dynamo_frontend_", "nv_llm_http_service_");

  static final List<String> PREFIXES =
      Arrays.stream(values()).flatMap(engine -> engine.prefixes().stream()).toList();

  private final String text;
  private final String modelLabel;
  private final String prefix;
  private final String otherPrefix;

  Engine(String text, String modelLabel, String prefix, String otherPrefix) {
    this.text = text;
    this.modelLabel = modelLabel;
    this.prefix = prefix;
    this.otherPrefix = otherPrefix;
  }

  String text() {
    return text;
  }

  /** The label with the model; empty if the engine serves one model and does not name it. */
  String modelLabel() {
    return modelLabel;
  }

  /** Any of these prefixes identifies the engine. */
  List<String> prefixes() {
    return otherPrefix.isEmpty() ? List.of(prefix) : List.of(prefix, otherPrefix);
  }

  static Optional<Engine> of(Set<String> prefixes) {
    return Arrays.stream(values())
        .filter(engine -> engine.prefixes().stream().anyMatch(prefixes::contains))
        .findFirst();
  }
}
