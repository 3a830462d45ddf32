package io.lapwing.dashboards;

/** What the agents cost: on the node, and in series. */
final class AgentCostRows {

  private AgentCostRows() {}

  static Row cost() {
    return Row.of(
        "What they cost",
        Panel.lines(
                "CPU",
                "CPU time that the agent takes, as a share of one core.",
                Unit.RATIO,
                Query.lines(
                    "max by (instance) (rate(process_cpu_seconds_total{node, job=\"lapwing\"}[$__rate_interval]))",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Memory",
                "Resident memory of the agent, the JVM included.",
                Unit.BYTES,
                Query.lines(
                    "max by (instance) (process_resident_memory_bytes{node, job=\"lapwing\"})",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Threads and open files",
                "Both grow where something hangs and is asked again; the agent asks nothing twice.",
                Unit.COUNT,
                Query.lines(
                    "max by (instance) (process_threads{node, job=\"lapwing\"})",
                    "{{instance}} threads"),
                Query.lines(
                    "max by (instance) (process_open_fds{node, job=\"lapwing\"})",
                    "{{instance}} files"))
            .size(8, 8)
            .from(0));
  }

  static Row scrapes() {
    return Row.of(
        "Scrapes",
        Panel.lines(
                "Series on the page",
                "Series that the collectors put on the page. Each costs money where samples are paid for; above"
                    + " the budget, LapwingSeriesBudgetExceeded fires.",
                Unit.COUNT,
                Query.lines("max by (instance) (lapwing_page_series{node})", "{{instance}}"),
                Query.lines(
                    "max by (instance) (instance:lapwing_series_budget:max{node})",
                    "{{instance}} budget"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "How long a scrape takes",
                "As Prometheus saw it.",
                Unit.SECONDS,
                Query.lines(
                    "max by (instance) (scrape_duration_seconds{node, job=\"lapwing\"})",
                    "{{instance}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Requests, by answer",
                "Requests a second to all agents by the status they got.",
                Unit.REQUESTS_PER_SECOND,
                Query.lines(
                    "sum by (handler, code) (rate(lapwing_http_requests_total{node}[$__rate_interval]))",
                    "{{handler}} {{code}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Scrapes refused",
                "Scrapes a second that an agent refused since --web.max-requests were under way.",
                Unit.PER_SECOND,
                Query.lines(
                    "sum by (instance) (rate(lapwing_http_requests_rejected_total{node}[$__rate_interval]))",
                    "{{instance}}"))
            .size(12, 8)
            .from(0),
        Panel.lines(
                "Samples that Prometheus took",
                "Samples of the last scrape after relabelling; below the series on the page where something is"
                    + " dropped on the way.",
                Unit.COUNT,
                Query.lines(
                    "max by (instance) (scrape_samples_post_metric_relabeling{node, job=\"lapwing\"})",
                    "{{instance}}"))
            .size(12, 8)
            .from(0));
  }
}
