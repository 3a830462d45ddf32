package io.lapwing.inference;

import static io.lapwing.metric.Metric.counter;
import static io.lapwing.metric.Metric.gauge;
import static io.lapwing.metric.Metric.histogram;

import io.lapwing.metric.Metric;

/**
 * The families of inference engines. What each engine calls them is said by {@link EngineSeries}.
 */
public final class InferenceMetrics {

  static final String ENGINE = "engine";
  static final String MODEL = "model";
  static final String ADDRESS = "address";

  public static final Metric ENGINES =
      gauge("lapwing_inference_engines", "Inference engines whose pages are read (/metrics).");
  public static final Metric UP =
      gauge(
          "lapwing_inference_up",
          "1 while the engine's page can be read; 0 while it cannot, or is no engine's (/metrics).",
          ENGINE,
          ADDRESS);

  public static final Metric TIME_TO_FIRST_TOKEN =
      histogram(
          "lapwing_inference_time_to_first_token_seconds",
          "Requests by how long their first token took; the bounds are the engine's own (time_to_first_token_seconds).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric INTER_TOKEN_LATENCY =
      histogram(
          "lapwing_inference_inter_token_latency_seconds",
          "Time from one token to the next, of TGI the mean of a request; the bounds are the engine's own (inter_token_latency_seconds, time_per_output_token_seconds, tgi_request_mean_time_per_token_duration).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric REQUEST_DURATION =
      histogram(
          "lapwing_inference_request_duration_seconds",
          "Requests by how long they took from end to end; the bounds are the engine's own (e2e_request_latency_seconds, tgi_request_duration, request_duration_seconds).",
          ENGINE,
          MODEL,
          ADDRESS);
  public static final Metric RUNNING =
      of("requests_running", "Requests being worked on", "num_requests_running, num_running_reqs");
  public static final Metric WAITING =
      of(
          "requests_waiting",
          "Requests that wait for their turn",
          "num_requests_waiting, num_queue_reqs");
  public static final Metric KV_CACHE_USAGE =
      of(
          "kv_cache_usage_ratio",
          "Share of the KV cache that is in use, of the fullest where an engine has several",
          "kv_cache_usage_perc, token_usage");
  public static final Metric PROMPT_TOKENS =
      total("prompt_tokens", "Tokens of prompts", "prompt_tokens_total, tgi_request_input_length");
  public static final Metric GENERATION_TOKENS =
      total(
          "generation_tokens",
          "Tokens that were generated",
          "generation_tokens_total, tgi_request_generated_tokens");
  public static final Metric REQUESTS_FINISHED =
      total(
          "requests_finished",
          "Requests that came to an end, whichever",
          "request_success_total, num_requests_total, tgi_request_success, requests_total");
  public static final Metric PREEMPTIONS =
      total(
          "preemptions",
          "Requests taken out of work again for want of KV cache",
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
