package io.lapwing.dashboards;

import java.util.List;

/** Inference engines: how long users wait, and why. */
final class InferenceDashboard {

  private static final String LEGEND = "{{instance}} {{engine}} {{model}}";

  private InferenceDashboard() {}

  static Dashboard dashboard() {
    return new Dashboard(
        "lapwing-inference",
        "Lapwing / Inference",
        "Inference engines: which is down, how long users wait for the first token and the next, and what it waits for.",
        "30s",
        "now-3h",
        List.of(Variable.DATASOURCE, Variable.CLUSTER, Variable.NODES, Variable.ONE_ENGINE),
        List.of(now(), latency(), load()));
  }

  private static Row now() {
    return Row.of(
        "Which engine, and what is wrong with it",
        Panel.table(
                "Engines",
                "Every engine that an agent reads. One that does not answer has no values, and comes first.",
                List.of(
                    Column.of("Value #A", "Does not answer").scale(Scales.YES_IS_BAD),
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
            .whenEmpty("No agent reads an engine (--inference.scrape)"),
        Panel.table(
                "Findings on their nodes",
                "What is wrong with the nodes that the engines run on, the worst first.",
                List.of(
                    Column.of("Value", "Severity").scale(Scales.SEVERITY_CODE).width(90),
                    Column.node(),
                    Column.of("rule", "Rule"),
                    Column.of("subject", "On"),
                    Column.of("action", "What to do").scale(Scales.ACTION)),
                Query.rows(
                    "sort_desc("
                        + Verdicts.findings("{node")
                        + " and on (cluster, instance) lapwing_inference_up{node})"))
            .size(12, 8)
            .whenEmpty("Nothing was found on their nodes"));
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
        "How long users wait",
        quantiles(
            "Time to the first token",
            "time_to_first_token_seconds",
            "The wait until the first token of half of the requests, and of the slowest twentieth at least."),
        quantiles(
            "Time from token to token",
            "inter_token_latency_seconds",
            "The time from one token to the next; what a reader sees as speed."),
        quantiles(
            "Whole request", "request_duration_seconds", "How long requests took from end to end."),
        heat(
            "First tokens, by wait",
            "time_to_first_token_seconds",
            "How many requests waited how long, of the engines of the chosen kind."),
        heat(
            "Next tokens, by wait",
            "inter_token_latency_seconds",
            "How many tokens came how long after the one" + " before."),
        heat(
            "Requests, by duration",
            "request_duration_seconds",
            "How many requests took how long, of the engines of the chosen kind."));
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
        histogram_quantile(%s,
          sum by (instance, engine, model, le) (rate(lapwing_inference_%s_bucket{node}[$__rate_interval])))
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
        "What the engines do",
        gauge("Requests that run", "requests_running", "Requests being worked on.", Unit.COUNT),
        gauge(
            "Requests that wait",
            "requests_waiting",
            "Requests that wait for their turn. More and more of them mean too few engines.",
            Unit.COUNT),
        gauge(
            "KV cache in use",
            "kv_cache_usage_ratio",
            "Share of the KV cache that is in use. A full one makes requests wait or start again.",
            Unit.RATIO),
        rate(
            "Requests finished",
            "requests_finished",
            "Requests a second that came to an end.",
            Unit.REQUESTS_PER_SECOND),
        Panel.lines(
                "Tokens",
                "Tokens a second of prompts, and those that were generated.",
                Unit.PER_SECOND,
                tokens("prompt", "prompts"),
                tokens("generation", "generated"))
            .size(8, 8)
            .from(0)
            .link(Link.NODE_OF_LINE),
        rate(
            "Preemptions",
            "preemptions",
            "Requests a second that were taken out of work again for want of KV cache.",
            Unit.PER_SECOND));
  }

  private static Query tokens(String kind, String words) {
    return Query.lines(
        "sum by (instance, engine, model) (rate(lapwing_inference_"
            + kind
            + "_tokens_total{node}[$__rate_interval]))",
        LEGEND + " " + words);
  }

  private static Panel gauge(String title, String family, String description, Unit unit) {
    return Panel.lines(
            title,
            description,
            unit,
            Query.lines(
                "sum by (instance, engine, model) (lapwing_inference_" + family + "{node})",
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
                "sum by (instance, engine, model) (rate(lapwing_inference_"
                    + family
                    + "_total{node}[$__rate_interval]))",
                LEGEND))
        .size(8, 8)
        .from(0)
        .link(Link.NODE_OF_LINE);
  }
}
