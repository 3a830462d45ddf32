package io.lapwing.simulator;

import io.lapwing.simulator.EngineLoad.Request;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/** The metrics of an engine, with its names, labels, bucket bounds and number format. */
public enum EnginePage {
  VLLM("engine=\"0\",", "model_name=\"sim/model-8b\"", true) {
    @Override
    void write(EnginePageText text, EngineLoad load) {
      text.gauge("vllm:num_requests_running", load.running());
      text.gauge("vllm:num_requests_waiting", load.waiting());
      text.gauge("vllm:kv_cache_usage_perc", load.cacheUsage());
      text.counter("vllm:num_preemptions_total", 0);
      text.counter("vllm:prompt_tokens_total", sum(load, Request::promptTokens));
      text.counter("vllm:generation_tokens_total", sum(load, Request::tokens));
      finished(text, "vllm:request_success_total", load);
      text.counter("vllm:prefix_cache_queries_total", sum(load, Request::promptTokens));
      text.counter("vllm:prefix_cache_hits_total", sum(load, r -> r.promptTokens() / 4));
      text.histogram("vllm:request_queue_time_seconds", VLLM_WHOLE, all(load, EnginePage::queued));
      text.histogram(
          "vllm:time_to_first_token_seconds", VLLM_FIRST, all(load, Request::firstToken));
      text.histogram(
          "vllm:inter_token_latency_seconds", VLLM_PACE, all(load, Request::pace), gaps(load));
      text.histogram("vllm:e2e_request_latency_seconds", VLLM_WHOLE, all(load, Request::duration));
    }
  },
  SGLANG("", "model_name=\"sim/model-8b\"", true) {
    @Override
    void write(EnginePageText text, EngineLoad load) {
      text.gauge("sglang:num_running_reqs", load.running());
      text.gauge("sglang:num_queue_reqs", load.waiting());
      text.gauge("sglang:token_usage", load.cacheUsage());
      text.counter("sglang:num_retracted_requests_total", 0);
      text.counter("sglang:prompt_tokens_total", sum(load, Request::promptTokens));
      text.counter("sglang:generation_tokens_total", sum(load, Request::tokens));
      text.counter("sglang:num_requests_total", load.finished().size());
      text.counter("sglang:cached_tokens_total", sum(load, r -> r.promptTokens() / 4));
      text.histogram("sglang:queue_time_seconds", SGLANG_QUEUE, all(load, EnginePage::queued));
      text.histogram(
          "sglang:time_to_first_token_seconds", SGLANG_FIRST, all(load, Request::firstToken));
      text.histogram(
          "sglang:inter_token_latency_seconds", SGLANG_PACE, all(load, Request::pace), gaps(load));
      text.histogram(
          "sglang:e2e_request_latency_seconds", SGLANG_WHOLE, all(load, Request::duration));
    }
  },
  TRTLLM("engine_type=\"trtllm\",", "model_name=\"sim/model-8b\"", true) {
    @Override
    void write(EnginePageText text, EngineLoad load) {
      finished(text, "trtllm_request_success_total", load);
      text.gauge("trtllm_num_requests_running", load.running());
      text.gauge("trtllm_num_requests_waiting", load.waiting());
      text.gauge("trtllm_kv_cache_utilization", load.cacheUsage());
      text.counter("trtllm_prompt_tokens_total", sum(load, Request::promptTokens));
      text.counter("trtllm_generation_tokens_total", sum(load, Request::tokens));
      text.counter("trtllm_prompt_cached_tokens_total", sum(load, r -> r.promptTokens() / 4));
      text.histogram(
          "trtllm_time_to_first_token_seconds", VLLM_FIRST, all(load, Request::firstToken));
      text.histogram("trtllm_time_per_output_token_seconds", VLLM_PACE, all(load, Request::pace));
      text.histogram(
          "trtllm_e2e_request_latency_seconds", VLLM_WHOLE, all(load, Request::duration));
      text.histogram(
          "trtllm_request_queue_time_seconds", VLLM_WHOLE, all(load, EnginePage::queued));
    }
  },
  TGI("", "", false) {
    @Override
    void write(EnginePageText text, EngineLoad load) {
      text.counter("tgi_request_count", load.finished().size());
      text.counter("tgi_request_success", load.finished().size());
      text.gauge("tgi_batch_current_size", load.running());
      text.gauge("tgi_queue_size", load.waiting());
      text.histogram("tgi_request_queue_duration", TGI_DURATIONS, all(load, EnginePage::queued));
      text.histogram("tgi_request_duration", TGI_DURATIONS, all(load, Request::duration));
      text.histogram(
          "tgi_request_mean_time_per_token_duration", TGI_DURATIONS, all(load, Request::pace));
      text.histogram(
          "tgi_request_input_length", TGI_TOKENS, all(load, r -> (double) r.promptTokens()));
      text.histogram(
          "tgi_request_generated_tokens", TGI_TOKENS, all(load, r -> (double) r.tokens()));
    }
  },
  DYNAMO("", "model=\"sim/model-8b\"", false) {
    @Override
    void write(EnginePageText text, EngineLoad load) {
      text.gauge("dynamo_frontend_active_requests", load.running());
      text.gauge("dynamo_frontend_inflight_requests", load.running());
      text.gauge("dynamo_frontend_queued_requests", load.waiting());
      text.counter("dynamo_frontend_output_tokens_total", sum(load, Request::tokens));
      text.counter("dynamo_frontend_requests_total", "status=\"success\",", load.finished().size());
      text.histogram(
          "dynamo_frontend_input_sequence_tokens",
          TGI_TOKENS,
          all(load, r -> (double) r.promptTokens()));
      text.histogram(
          "dynamo_frontend_time_to_first_token_seconds",
          DYNAMO_FIRST,
          all(load, Request::firstToken));
      text.histogram(
          "dynamo_frontend_inter_token_latency_seconds",
          DYNAMO_PACE,
          all(load, Request::pace),
          gaps(load));
      text.histogram(
          "dynamo_frontend_request_duration_seconds", DYNAMO_WHOLE, all(load, Request::duration));
    }
  };

  private static final double[] VLLM_FIRST = {
    0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40,
    80, 160, 640, 2560
  };
  private static final double[] VLLM_PACE = {
    0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80
  };
  private static final double[] VLLM_WHOLE = {
    0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680
  };
  private static final double[] SGLANG_FIRST = {
    0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400
  };
  private static final double[] SGLANG_PACE = {
    0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04, 0.06, 0.08, 0.1, 0.2,
    0.4, 0.6, 0.8, 1, 2, 4, 6, 8
  };
  private static final double[] SGLANG_WHOLE = {
    0.1, 0.2, 0.4, 0.6, 0.8, 1, 2, 4, 6, 8, 10, 20, 40, 60, 80, 100, 200, 400, 600, 1200, 1800, 2400
  };
  private static final double[] SGLANG_QUEUE = {
    0, 0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 3, 4, 5, 10, 15, 20, 30, 40, 50, 60
  };
  private static final double[] TGI_DURATIONS =
      DoubleStream.iterate(0.0001 * 1.5, bound -> bound * 1.5).limit(35).toArray();
  private static final double[] TGI_TOKENS =
      IntStream.rangeClosed(1, 100).mapToDouble(i -> 40.96 * i).toArray();
  private static final double[] DYNAMO_FIRST = {
    0, 0.0022, 0.0047, 0.01, 0.022, 0.047, 0.1, 0.22, 0.47, 1, 2.2, 4.7, 10, 22, 48, 100, 220, 480
  };
  private static final double[] DYNAMO_PACE = {
    0, 0.0019, 0.0035, 0.0067, 0.013, 0.024, 0.045, 0.084, 0.16, 0.3, 0.56, 1.1, 2
  };
  private static final double[] DYNAMO_WHOLE = {0, 2, 4, 8, 16, 32, 64, 130, 260, 510};

  private final String before;
  private final String behind;
  private final boolean python;

  EnginePage(String before, String behind, boolean python) {
    this.before = before;
    this.behind = behind;
    this.python = python;
  }

  /**
   * For the engine of that name: {@code vllm}, {@code sglang}, {@code trtllm}, {@code tgi}, {@code
   * dynamo}.
   */
  public static EnginePage of(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  /** The current scrape response. */
  public String text(EngineLoad load) {
    EnginePageText text = new EnginePageText(before, behind, python);
    write(text, load);
    return text.toString();
  }

  abstract void write(EnginePageText text, EngineLoad load);

  /**
   * One of twenty requests is aborted by its client, and one of five reaches its longest output.
   */
  private static void finished(EnginePageText text, String name, EngineLoad load) {
    int all = load.finished().size();
    int longest = all / 5;
    int aborted = all / 20;
    text.counter(name, "finished_reason=\"stop\",", all - longest - aborted);
    text.another(name, "finished_reason=\"length\",", longest);
    text.another(name, "finished_reason=\"abort\",", aborted);
  }

  private static double sum(EngineLoad load, Function<Request, Integer> what) {
    return load.finished().stream().mapToInt(what::apply).sum();
  }

  /** A fifth of the time to the first token. */
  private static double queued(Request request) {
    return request.firstToken() / 5;
  }

  private static double[] all(EngineLoad load, Function<Request, Double> what) {
    return load.finished().stream().mapToDouble(what::apply).toArray();
  }

  /** One for each token except the first. */
  private static double[] gaps(EngineLoad load) {
    return all(load, request -> request.tokens() - 1.0);
  }
}
