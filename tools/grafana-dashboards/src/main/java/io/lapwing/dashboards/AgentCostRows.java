package io.lapwing.dashboards;

/** Resource usage of the agents, and scrapes. */
final class AgentCostRows {

  private AgentCostRows() {}

  static Row cost() {
    return Row.folded(
        "Agent resource usage",
        Panel.lines(
                "CPU",
                "CPU time of the agent, as a share of one core.",
                Unit.RATIO,
                Query.lines(
                    "topk($top, max by (instance) (rate(process_cpu_seconds_total{node, job=\"lapwing\"}[$__rate_interval])))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Memory",
                "Resident memory of the agent, the JVM included.",
                Unit.BYTES,
                Query.lines(
                    "topk($top, max by (instance) (process_resident_memory_bytes{node, job=\"lapwing\"}))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Threads and open files",
                "Both increase if hung calls pile up. The agent does not retry a hung call, so"
                    + " they should stay flat.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, max by (instance) (process_threads{node, job=\"lapwing\"}))",
                    "{{instance}} threads"),
                Query.lines(
                    "topk($top, max by (instance) (process_open_fds{node, job=\"lapwing\"}))",
                    "{{instance}} files"))
            .size(8, 8)
            .from(0));
  }

  static Row scrapes() {
    return Row.folded(
        "Scrapes",
        Panel.lines(
                "Exposed series",
                "Series in the scrape response. Each costs money where samples are billed; above"
                    + " the budget LapwingSeriesBudgetExceeded fires.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, max by (instance) (lapwing_page_series{node}))", "{{instance}}"),
                Query.lines(
                    "topk($top, max by (instance) (instance:lapwing_series_budget:max{node}))",
                    "{{instance}} budget"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Scrape duration",
                "As measured by Prometheus.",
                Unit.SECONDS,
                Query.lines(
                    "topk($top, max by (instance) (scrape_duration_seconds{node, job=\"lapwing\"}))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Requests by status code",
                "Requests per second to all agents, by handler and status code.",
                Unit.REQUESTS_PER_SECOND,
                Query.lines(
                    "sum by (handler, code) (rate(lapwing_http_requests_total{node}[$__rate_interval]))",
                    "{{handler}} {{code}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Rejected scrapes",
                "Scrapes per second that an agent rejected because of --web.max-requests.",
                Unit.PER_SECOND,
                Query.lines(
                    "topk($top, sum by (instance) (rate(lapwing_http_requests_rejected_total{node}[$__rate_interval])))",
                    "{{instance}}"))
            .size(12, 8)
            .from(0),
        Panel.lines(
                "Ingested samples",
                "Samples of the last scrape after relabeling; fewer than the exposed series if"
                    + " relabeling drops some.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, max by (instance) (scrape_samples_post_metric_relabeling{node, job=\"lapwing\"}))",
                    "{{instance}}"))
            .size(12, 8)
            .from(0));
  }
}
