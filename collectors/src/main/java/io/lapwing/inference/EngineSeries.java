package io.lapwing.inference;

import static io.lapwing.inference.Engine.DYNAMO;
import static io.lapwing.inference.Engine.SGLANG;
import static io.lapwing.inference.Engine.TENSORRT_LLM;
import static io.lapwing.inference.Engine.TGI;
import static io.lapwing.inference.Engine.VLLM;
import static io.lapwing.inference.Measure.Fold.MAX;
import static io.lapwing.inference.Measure.Fold.REPLICAS;
import static io.lapwing.inference.Measure.Fold.SUM;
import static io.lapwing.inference.Measure.GENERATION_TOKENS;
import static io.lapwing.inference.Measure.INTER_TOKEN_LATENCY;
import static io.lapwing.inference.Measure.KV_CACHE_USAGE;
import static io.lapwing.inference.Measure.PREEMPTIONS;
import static io.lapwing.inference.Measure.PREFIX_CACHE_HITS;
import static io.lapwing.inference.Measure.PREFIX_CACHE_QUERIES;
import static io.lapwing.inference.Measure.PROMPT_TOKENS;
import static io.lapwing.inference.Measure.QUEUE_TIME;
import static io.lapwing.inference.Measure.REQUESTS_FINISHED;
import static io.lapwing.inference.Measure.REQUEST_DURATION;
import static io.lapwing.inference.Measure.RUNNING;
import static io.lapwing.inference.Measure.TIME_TO_FIRST_TOKEN;
import static io.lapwing.inference.Measure.WAITING;

import io.lapwing.exposition.SampleNames;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An engine's name for a measure, without {@code _bucket}. Of several names the present one with
 * the lowest {@code choice} is used; names of equal choice are folded into one.
 */
record EngineSeries(Engine engine, Measure measure, int choice, String name, Measure.Fold fold) {

  static final List<EngineSeries> ALL = all();

  private static List<EngineSeries> all() {
    List<EngineSeries> all = new ArrayList<>();
    add(all, VLLM, TIME_TO_FIRST_TOKEN, SUM, "vllm:time_to_first_token_seconds");
    add(
        all,
        VLLM,
        INTER_TOKEN_LATENCY,
        SUM,
        "vllm:inter_token_latency_seconds",
        "vllm:time_per_output_token_seconds");
    add(all, VLLM, REQUEST_DURATION, SUM, "vllm:e2e_request_latency_seconds");
    add(all, VLLM, QUEUE_TIME, SUM, "vllm:request_queue_time_seconds");
    add(all, VLLM, RUNNING, SUM, "vllm:num_requests_running");
    add(all, VLLM, WAITING, SUM, "vllm:num_requests_waiting");
    add(all, VLLM, KV_CACHE_USAGE, MAX, "vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc");
    add(all, VLLM, PREFIX_CACHE_QUERIES, SUM, "vllm:prefix_cache_queries_total");
    add(all, VLLM, PREFIX_CACHE_HITS, SUM, "vllm:prefix_cache_hits_total");
    add(all, VLLM, PROMPT_TOKENS, SUM, "vllm:prompt_tokens_total");
    add(all, VLLM, GENERATION_TOKENS, SUM, "vllm:generation_tokens_total");
    add(all, VLLM, REQUESTS_FINISHED, SUM, "vllm:request_success_total");
    add(all, VLLM, PREEMPTIONS, SUM, "vllm:num_preemptions_total");

    prefixed(all, SGLANG, SUM, TIME_TO_FIRST_TOKEN, "time_to_first_token_seconds");
    prefixed(
        all,
        SGLANG,
        SUM,
        INTER_TOKEN_LATENCY,
        "inter_token_latency_seconds",
        "time_per_output_token_seconds");
    prefixed(all, SGLANG, SUM, REQUEST_DURATION, "e2e_request_latency_seconds");
    prefixed(all, SGLANG, REPLICAS, QUEUE_TIME, "queue_time_seconds");
    prefixed(all, SGLANG, REPLICAS, RUNNING, "num_running_reqs");
    prefixed(all, SGLANG, REPLICAS, WAITING, "num_queue_reqs");
    prefixed(all, SGLANG, MAX, KV_CACHE_USAGE, "token_usage");
    prefixed(all, SGLANG, SUM, PREFIX_CACHE_HITS, "cached_tokens_total");
    prefixed(all, SGLANG, SUM, PROMPT_TOKENS, "prompt_tokens_total");
    prefixed(all, SGLANG, SUM, GENERATION_TOKENS, "generation_tokens_total");
    prefixed(all, SGLANG, SUM, REQUESTS_FINISHED, "num_requests_total");
    prefixed(all, SGLANG, REPLICAS, PREEMPTIONS, "num_retracted_requests_total");

    prefixed(all, TENSORRT_LLM, SUM, TIME_TO_FIRST_TOKEN, "time_to_first_token_seconds");
    prefixed(all, TENSORRT_LLM, SUM, INTER_TOKEN_LATENCY, "time_per_output_token_seconds");
    prefixed(all, TENSORRT_LLM, SUM, REQUEST_DURATION, "e2e_request_latency_seconds");
    prefixed(all, TENSORRT_LLM, SUM, QUEUE_TIME, "request_queue_time_seconds");
    prefixed(all, TENSORRT_LLM, SUM, RUNNING, "num_requests_running");
    prefixed(all, TENSORRT_LLM, SUM, WAITING, "num_requests_waiting");
    prefixed(all, TENSORRT_LLM, MAX, KV_CACHE_USAGE, "kv_cache_utilization");
    prefixed(all, TENSORRT_LLM, SUM, PREFIX_CACHE_HITS, "prompt_cached_tokens_total");
    prefixed(all, TENSORRT_LLM, SUM, PROMPT_TOKENS, "prompt_tokens_total");
    prefixed(all, TENSORRT_LLM, SUM, GENERATION_TOKENS, "generation_tokens_total");
    prefixed(all, TENSORRT_LLM, SUM, REQUESTS_FINISHED, "request_success_total");

    add(all, TGI, INTER_TOKEN_LATENCY, SUM, "tgi_request_mean_time_per_token_duration");
    add(all, TGI, REQUEST_DURATION, SUM, "tgi_request_duration");
    add(all, TGI, QUEUE_TIME, SUM, "tgi_request_queue_duration");
    add(all, TGI, RUNNING, SUM, "tgi_batch_current_size");
    add(all, TGI, WAITING, SUM, "tgi_queue_size");
    add(all, TGI, PROMPT_TOKENS, SUM, "tgi_request_input_length_sum");
    add(all, TGI, GENERATION_TOKENS, SUM, "tgi_request_generated_tokens_sum");
    add(all, TGI, REQUESTS_FINISHED, SUM, "tgi_request_success");
    add(all, TGI, REQUESTS_FINISHED, SUM, "tgi_request_failure");

    prefixed(all, DYNAMO, SUM, TIME_TO_FIRST_TOKEN, "time_to_first_token_seconds");
    prefixed(all, DYNAMO, SUM, INTER_TOKEN_LATENCY, "inter_token_latency_seconds");
    prefixed(all, DYNAMO, SUM, REQUEST_DURATION, "request_duration_seconds");
    prefixed(all, DYNAMO, SUM, RUNNING, "active_requests", "inflight_requests");
    prefixed(all, DYNAMO, SUM, WAITING, "queued_requests");
    prefixed(all, DYNAMO, SUM, PROMPT_TOKENS, "input_sequence_tokens_sum");
    prefixed(all, DYNAMO, SUM, GENERATION_TOKENS, "output_tokens_total");
    prefixed(all, DYNAMO, SUM, REQUESTS_FINISHED, "requests_total");
    return List.copyOf(all);
  }

  private static void add(
      List<EngineSeries> all,
      Engine engine,
      Measure measure,
      Measure.Fold fold,
      String... newestFirst) {
    for (int i = 0; i < newestFirst.length; i++) {
      all.add(new EngineSeries(engine, measure, i, newestFirst[i], fold));
    }
  }

  /** Names that follow each of the engine's prefixes. */
  private static void prefixed(
      List<EngineSeries> all,
      Engine engine,
      Measure.Fold fold,
      Measure measure,
      String... newestFirst) {
    List<String> names = new ArrayList<>();
    for (String prefix : engine.prefixes()) {
      for (String name : newestFirst) {
        names.add(prefix + name);
      }
    }
    add(all, engine, measure, fold, names.toArray(String[]::new));
  }

  /** The metric to which a line in an engine's response contributes, perhaps as a bucket. */
  record Meaning(EngineSeries series, Metric metric, boolean bucket) {

    private static final Map<String, Meaning> BY_NAME = byName();

    /** The names of all such lines, and the prefixes of all engines. */
    static final SampleNames NAMES = SampleNames.of(BY_NAME.keySet(), Engine.PREFIXES);

    /** By the name of a line; null if it is not used. */
    static @Nullable Meaning of(String name) {
      return BY_NAME.get(name);
    }

    private static Map<String, Meaning> byName() {
      Map<String, Meaning> all = new HashMap<>();
      for (EngineSeries series : EngineSeries.ALL) {
        Measure measure = series.measure();
        if (measure.isHistogram()) {
          all.put(series.name() + "_bucket", new Meaning(series, measure.metric(), true));
          all.put(series.name() + "_sum", new Meaning(series, measure.sum(), false));
          all.put(series.name() + "_count", new Meaning(series, measure.count(), false));
        } else {
          all.put(series.name(), new Meaning(series, measure.metric(), false));
        }
      }
      return all;
    }
  }
}
