package io.lapwing.inference;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;
import static io.lapwing.metric.Metric.histogram;

import io.lapwing.metric.Metric;

/** The metric families of inference engines; {@link EngineSeries} maps names to them. */
public final class InferenceMetrics {

  static final String ENGINE = "engine";
  static final String MODEL = "model";
  static final String ADDRESS = "address";
  static final String REASON = "reason";

  public static final Metric ENGINES =
      gauge("lapwing_inference_engines", "Inference engines that are scraped (/metrics).");
  public static final Metric UP =
      gauge(
          "lapwing_inference_up",
          "1 if the last scrape of the engine succeeded; 0 if it failed or the response is not from a known engine (/metrics).",
          ENGINE,
          ADDRESS);

  public static final Metric TIME_TO_FIRST_TOKEN =
      histogram(
          "lapwing_inference_time_to_first_token_seconds",
          "Time to first token; the buckets are the engine's (time_to_first_token_seconds).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric INTER_TOKEN_LATENCY =
      histogram(
          "lapwing_inference_inter_token_latency_seconds",
          "Time between tokens, for TGI the mean of each request; the buckets are the engine's (inter_token_latency_seconds, time_per_output_token_seconds, tgi_request_mean_time_per_token_duration).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric REQUEST_DURATION =
      histogram(
          "lapwing_inference_request_duration_seconds",
          "End-to-end request duration; the buckets are the engine's (e2e_request_latency_seconds, tgi_request_duration, request_duration_seconds).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric QUEUE_TIME =
      histogram(
          "lapwing_inference_queue_time_seconds",
          "Time that requests waited in the queue; the buckets are the engine's (request_queue_time_seconds, queue_time_seconds, tgi_request_queue_duration).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric RUNNING =
      of("requests_running", "Requests being processed", "num_requests_running, num_running_reqs");
  public static final Metric WAITING =
      of("requests_waiting", "Requests in the queue", "num_requests_waiting, num_queue_reqs");
  public static final Metric KV_CACHE_USAGE =
      of(
          "kv_cache_usage_ratio",
          "Share of the KV cache in use; the fullest if an engine has several",
          "kv_cache_usage_perc, token_usage");
  public static final Metric PREFIX_CACHE_QUERIES =
      total(
          "prefix_cache_queried_tokens",
          "Prompt tokens looked up in the prefix cache",
          "prefix_cache_queries_total");
  public static final Metric PREFIX_CACHE_HITS =
      total(
          "prefix_cache_hit_tokens",
          "Prompt tokens found in the prefix cache",
          "prefix_cache_hits_total, cached_tokens_total, prompt_cached_tokens_total");
  public static final Metric PROMPT_TOKENS =
      total(
          "prompt_tokens",
          "Prompt tokens processed",
          "prompt_tokens_total, tgi_request_input_length");
  public static final Metric GENERATION_TOKENS =
      total(
          "generation_tokens",
          "Generated tokens",
          "generation_tokens_total, tgi_request_generated_tokens");
  public static final Metric REQUESTS_FINISHED =
      counter(
          "lapwing_inference_requests_finished_total",
          "Finished requests by reason: stop, length, abort, error or other; empty if the engine does not report it (request_success_total, num_requests_total, tgi_request_success, requests_total).",
          ENGINE,
          MODEL,
          ADDRESS,
          REASON);
  public static final Metric PREEMPTIONS =
      total(
          "preemptions",
          "Requests preempted because the KV cache was full",
          "num_preemptions_total, num_retracted_requests_total");

  private InferenceMetrics() {}

  private static Metric of(String quantity, String what, String from) {
    return gauge("lapwing_inference_" + quantity, help(what, from), ENGINE, MODEL, ADDRESS);
  }

  private static Metric total(String quantity, String what, String from) {
    return counter(
        "lapwing_inference_" + quantity + "_total", help(what, from), ENGINE, MODEL, ADDRESS);
  }

  private static String help(String what, String from) {
    return what + " (" + from + ").";
  }
}
