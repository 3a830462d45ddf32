package io.lapwing.dashboards;

import java.util.List;

/** Inference engines: availability, latency and load. */
final class InferenceDashboard {

  private static final String LEGEND = "{{instance}} {{engine}} {{model}}";

  private InferenceDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-inference",
        "Lapwing / Inference",
        "Inference engines: availability, latency and load.",
        "30s",
        "now-3h",
        List.of(
            Variable.DATASOURCE,
            Variable.CLUSTER,
            Variable.NODES,
            Variable.ONE_ENGINE,
            Variable.TOP,
            Variable.DOCS),
        Annotation.of("lapwing_inference_up{node}", false),
        List.of(now(), latency(), load()));
  }

  private static Row now() {
    return Row.of(
        "Engines and findings",
        Panel.table(
                "Engines",
                "Every engine that an agent reads. An engine that is down has no values and is"
                    + " listed first.",
                List.of(
                    Column.of("Value #A", "Down").scale(Scales.YES_IS_BAD),
                    Column.node(),
                    Column.of("engine", "Engine"),
                    Column.of("address", "Address"),
                    Column.of("Value #B", "Running", Unit.COUNT),
                    Column.of("Value #C", "Waiting", Unit.COUNT).scale(Scale.rising(1, 10)),
                    Column.of("Value #D", "KV cache", Unit.RATIO).scale(Scale.rising(0.9, 0.98))),
                Query.rows(
                    "sort_desc(1 - max by (cluster, instance, engine, address) (lapwing_inference_up{node}))"),
                engine("sum", "requests_running"),
                engine("sum", "requests_waiting"),
                engine("max", "kv_cache_usage_ratio"))
            .size(12, 8)
            .whenEmpty("No engine is configured (--inference.scrape)"),
        Panel.table(
                "Findings on the engines' nodes",
                "Findings on the nodes of the engines, worst first.",
                List.of(
                    Column.of("Value", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.rule(),
                    Column.of("subject", "On"),
                    Column.of("action", "Action").scale(Scales.ACTION)),
                Query.rows(
                    "sort_desc("
                        + Verdicts.findings("{node")
                        + " and on (cluster, instance) lapwing_inference_up{node})"))
            .size(12, 8)
            .whenEmpty("No findings on their nodes"));
  }

  private static Query engine(String aggregation, String family) {
    return Query.rows(
        aggregation
            + " by (cluster, instance, engine, address) (lapwing_inference_"
            + family
            + "{node})");
  }

  private static Row latency() {
    return Row.of(
        "Latency",
        quantiles(
            "Time to first token",
            "time_to_first_token_seconds",
            "Time to first token, median and 95th percentile."),
        quantiles(
            "Inter-token latency",
            "inter_token_latency_seconds",
            "Time between two tokens, median and 95th percentile."),
        quantiles(
            "Request duration",
            "request_duration_seconds",
            "End-to-end duration of requests, median" + " and 95th percentile."),
        heat(
            "Time to first token, distribution",
            "time_to_first_token_seconds",
            "Number of requests by time to first token, for the selected engine."),
        heat(
            "Inter-token latency, distribution",
            "inter_token_latency_seconds",
            "Number of tokens by inter-token latency."),
        heat(
            "Request duration, distribution",
            "request_duration_seconds",
            "Number of requests by duration, for the selected engine."));
  }

  private static Panel quantiles(String title, String family, String description) {
    return Panel.lines(
            title, description, Unit.SECONDS, quantile("0.5", family), quantile("0.95", family))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }

  private static Query quantile(String share, String family) {
    return Query.lines(
        """
        topk($top, histogram_quantile(%s,
          sum by (instance, engine, model, le) (rate(lapwing_inference_%s_bucket{node}[$__rate_interval]))))
        """
            .formatted(share, family),
        LEGEND + " p" + share.substring(2).replaceFirst("^5$", "50"));
  }

  private static Panel heat(String title, String family, String description) {
    return Panel.heat(
            title,
            description,
            Unit.SECONDS,
            Query.buckets(
                "sum by (le) (increase(lapwing_inference_"
                    + family
                    + "_bucket{node, engine=~\"$engine\"}[$__rate_interval]))"))
        .size(8, 8);
  }

  private static Row load() {
    return Row.of(
        "Load",
        gauge("Running requests", "requests_running", "Requests in progress.", Unit.COUNT),
        gauge(
            "Waiting requests",
            "requests_waiting",
            "Queued requests. A growing queue means too few engines.",
            Unit.COUNT),
        gauge(
            "KV cache in use",
            "kv_cache_usage_ratio",
            "Used share of the KV cache. A full cache makes requests wait or restart.",
            Unit.RATIO),
        rate(
            "Finished requests",
            "requests_finished",
            "Finished requests per second.",
            Unit.REQUESTS_PER_SECOND),
        Panel.lines(
                "Tokens",
                "Prompt tokens and generated tokens per second.",
                Unit.TOKENS_PER_SECOND,
                tokens("prompt", "prompts"),
                tokens("generation", "generated"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        rate(
            "Preemptions",
            "preemptions",
            "Requests per second that were preempted for lack of KV cache.",
            Unit.PER_SECOND),
        quantiles(
            "Queue time",
            "queue_time_seconds",
            "Time that requests waited in the queue, median and 95th percentile."),
        Panel.lines(
                "Prefix cache hits",
                "Share of prompt tokens found in the prefix cache.",
                Unit.RATIO,
                Query.lines(
                    """
                    topk($top, sum by (instance, engine, model) (rate(lapwing_inference_prefix_cache_hit_tokens_total{node}[$__rate_interval]))
                      / (sum by (instance, engine, model) (rate(lapwing_inference_prefix_cache_queried_tokens_total{node}[$__rate_interval]))
                        or sum by (instance, engine, model) (rate(lapwing_inference_prompt_tokens_total{node}[$__rate_interval]))))
                    """,
                    LEGEND))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        Panel.lines(
                "Failed and aborted requests",
                "Requests per second that ended with an error or were aborted, of the engines that"
                    + " report the reason.",
                Unit.REQUESTS_PER_SECOND,
                Query.lines(
                    "topk($top, sum by (instance, engine, model, reason)"
                        + " (rate(lapwing_inference_requests_finished_total{node,"
                        + " reason=~\"abort|error\"}[$__rate_interval])))",
                    LEGEND + " {{reason}}"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE));
  }

  private static Query tokens(String kind, String words) {
    return Query.lines(
        "topk($top, sum by (instance, engine, model) (rate(lapwing_inference_"
            + kind
            + "_tokens_total{node}[$__rate_interval])))",
        LEGEND + " " + words);
  }

  private static Panel gauge(String title, String family, String description, Unit unit) {
    return Panel.lines(
            title,
            description,
            unit,
            Query.lines(
                "topk($top, sum by (instance, engine, model) (lapwing_inference_"
                    + family
                    + "{node}))",
                LEGEND))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }

  private static Panel rate(String title, String family, String description, Unit unit) {
    return Panel.lines(
            title,
            description,
            unit,
            Query.lines(
                "topk($top, sum by (instance, engine, model) (rate(lapwing_inference_"
                    + family
                    + "_total{node}[$__rate_interval])))",
                LEGEND))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }
}
