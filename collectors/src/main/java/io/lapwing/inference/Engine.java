package io.lapwing.inference;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * An engine that is known by the names on its page. A page that has names of several is the first
 * one's: vLLM behind an adapter has TGI's names too, and a worker of Dynamo has those of the engine
 * that it runs.
 */
enum Engine {
  VLLM("vllm", "model_name", "vllm:", ""),
  SGLANG("sglang", "model_name", "sglang:", ""),
  TGI("tgi", "", "tgi_", ""),
  /** Its names begin otherwise where they are set to, as by NIM: that beginning is known too. */
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

  /** As the label says it. */
  String text() {
    return text;
  }

  /** The label that names the model; empty where a page is of one model and does not name it. */
  String modelLabel() {
    return modelLabel;
  }

  /** What the names on its page begin with: this or that. */
  List<String> prefixes() {
    return otherPrefix.isEmpty() ? List.of(prefix) : List.of(prefix, otherPrefix);
  }

  /** Whose page it is. */
  static Optional<Engine> of(Set<String> prefixes) {
    return Arrays.stream(values())
        .filter(engine -> engine.prefixes().stream().anyMatch(prefixes::contains))
        .findFirst();
  }
}
