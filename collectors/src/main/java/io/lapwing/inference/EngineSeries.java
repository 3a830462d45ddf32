package io.lapwing.inference;

import static io.lapwing.inference.Engine.DYNAMO;
import static io.lapwing.inference.Engine.SGLANG;
import static io.lapwing.inference.Engine.TGI;
import static io.lapwing.inference.Engine.VLLM;
import static io.lapwing.inference.Measure.Fold.MAX;
import static io.lapwing.inference.Measure.Fold.REPLICAS;
import static io.lapwing.inference.Measure.Fold.SUM;
import static io.lapwing.inference.Measure.GENERATION_TOKENS;
import static io.lapwing.inference.Measure.INTER_TOKEN_LATENCY;
import static io.lapwing.inference.Measure.KV_CACHE_USAGE;
import static io.lapwing.inference.Measure.PREEMPTIONS;
import static io.lapwing.inference.Measure.PROMPT_TOKENS;
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
    add(all, VLLM, RUNNING, SUM, "vllm:num_requests_running");
    add(all, VLLM, WAITING, SUM, "vllm:num_requests_waiting");
    add(all, VLLM, KV_CACHE_USAGE, MAX, "vllm:kv_cache_usage_perc", "vllm:gpu_cache_usage_perc");
    add(all, VLLM, PROMPT_TOKENS, SUM, "vllm:prompt_tokens_total");
    add(all, VLLM, GENERATION_TOKENS, SUM, "vllm:generation_tokens_total");
    add(all, VLLM, REQUESTS_FINISHED, SUM, "vllm:request_success_total");
    add(all, VLLM, PREEMPTIONS, SUM, "vllm:num_preemptions_total");

    add(all, SGLANG, TIME_TO_FIRST_TOKEN, SUM, "sglang:time_to_first_token_seconds");
    add(
        all,
        SGLANG,
        INTER_TOKEN_LATENCY,
        SUM,
        "sglang:inter_token_latency_seconds",
        "sglang:time_per_output_token_seconds");
    add(all, SGLANG, REQUEST_DURATION, SUM, "sglang:e2e_request_latency_seconds");
    add(all, SGLANG, RUNNING, REPLICAS, "sglang:num_running_reqs");
    add(all, SGLANG, WAITING, REPLICAS, "sglang:num_queue_reqs");
    add(all, SGLANG, KV_CACHE_USAGE, MAX, "sglang:token_usage");
    add(all, SGLANG, PROMPT_TOKENS, SUM, "sglang:prompt_tokens_total");
    add(all, SGLANG, GENERATION_TOKENS, SUM, "sglang:generation_tokens_total");
    add(all, SGLANG, REQUESTS_FINISHED, SUM, "sglang:num_requests_total");
    add(all, SGLANG, PREEMPTIONS, REPLICAS, "sglang:num_retracted_requests_total");

    add(all, TGI, INTER_TOKEN_LATENCY, SUM, "tgi_request_mean_time_per_token_duration");
    add(all, TGI, REQUEST_DURATION, SUM, "tgi_request_duration");
    add(all, TGI, RUNNING, SUM, "tgi_batch_current_size");
    add(all, TGI, WAITING, SUM, "tgi_queue_size");
    add(all, TGI, PROMPT_TOKENS, SUM, "tgi_request_input_length_sum");
    add(all, TGI, GENERATION_TOKENS, SUM, "tgi_request_generated_tokens_sum");
    add(all, TGI, REQUESTS_FINISHED, SUM, "tgi_request_success");
    add(all, TGI, REQUESTS_FINISHED, SUM, "tgi_request_failure");

    dynamo(all, TIME_TO_FIRST_TOKEN, "time_to_first_token_seconds");
    dynamo(all, INTER_TOKEN_LATENCY, "inter_token_latency_seconds");
    dynamo(all, REQUEST_DURATION, "request_duration_seconds");
    dynamo(all, RUNNING, "active_requests", "inflight_requests");
    dynamo(all, WAITING, "queued_requests");
    dynamo(all, PROMPT_TOKENS, "input_sequence_tokens_sum");
    dynamo(all, GENERATION_TOKENS, "output_tokens_total");
    dynamo(all, REQUESTS_FINISHED, "requests_total");
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

  private static void dynamo(List<EngineSeries> all, Measure measure, String... newestFirst) {
    List<String> names = new ArrayList<>();
    for (String prefix : DYNAMO.prefixes()) {
      for (String name : newestFirst) {
        names.add(prefix + name);
      }
    }
    add(all, DYNAMO, measure, SUM, names.toArray(String[]::new));
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
