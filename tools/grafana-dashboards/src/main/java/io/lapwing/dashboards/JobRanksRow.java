package io.lapwing.dashboards;

/** The parts of a step over the ranks, of which there may be thousands. */
final class JobRanksRow {

  private static final String COMPUTE = "rank:lapwing_training_compute_seconds:mean10m{job}";

  private JobRanksRow() {}

  static Row ranks() {
    return Row.of(
        "Ranks",
        part(
            "Compute time of the ranks",
            "compute_seconds:mean10m",
            "Compute time per step, mean of ten minutes. A straggler computes longer than the"
                + " others: the maximum is far above the median."),
        part(
            "Communication wait of the ranks",
            "communication_wait_seconds:mean5m",
            "Time per step spent waiting for other ranks. A straggler itself waits least: it is"
                + " the minimum."),
        part(
            "Data wait of the ranks",
            "data_wait_seconds:mean5m",
            "Time per step spent waiting for input data."),
        Panel.lines(
                "Compute time, slowest ranks",
                "The ranks with the longest compute time within the time range.",
                Unit.SECONDS,
                Query.lines(
                    "max by (cluster, instance, rank) ("
                        + COMPUTE
                        + ") and on (cluster, instance, rank) topk($top, max by (cluster, instance,"
                        + " rank) (avg_over_time("
                        + COMPUTE
                        + "[$__range] @ end())))",
                    "{{instance}} rank {{rank}}"),
                Query.lines("quantile(0.5, " + COMPUTE + ")", "median of all ranks"))
            .size(10, 11)
            .from(0)
            .link(Link.NODE_OF_LINE)
            .whenEmpty("No rank reports compute time"),
        Panel.heat(
                "Compute time by rank",
                "Compute time relative to the median of the job, by rank, from 1 to 1.5."
                    + " A line that differs from the others is a slow rank, a column a slow moment"
                    + " of all. For more than a few hundred ranks choose several ranks a line above; the"
                    + " slowest of them counts.",
                Unit.COUNT,
                Query.lines(
                    """
                    max by (line) (label_replace(
                      label_replace(label_replace(label_replace(label_replace(label_replace(
                        rank:lapwing_training_compute_seconds:ratio_median10m{job},
                        "row", "0000$1", "rank", "(.)"), "row", "000$1", "rank", "(..)"),
                        "row", "00$1", "rank", "(...)"), "row", "0$1", "rank", "(....)"), "row", "$1", "rank", "(.....)"),
                      "line", "$1", "row", "$lines"))
                    """,
                    "{{line}}"))
            .between(1, 1.5)
            .size(14, 11)
            .whenEmpty("No rank reports compute time, or the job has fewer than four ranks"),
        Panel.lines(
                "Ranks by phase",
                "Number of ranks in each phase that the training loop reports.",
                Unit.COUNT,
                Query.lines(
                    "sum by (phase) (job_id_phase:lapwing_training_ranks:count{job})", "{{phase}}"))
            .stacked()
            .from(0)
            .size(24, 7));
  }

  private static Panel part(String title, String family, String description) {
    return Panel.lines(
            title,
            description,
            Unit.SECONDS,
            Bands.recorded("job_id_quantile:lapwing_training_" + family))
        .bands()
        .size(8, 8)
        .from(0);
  }
}
