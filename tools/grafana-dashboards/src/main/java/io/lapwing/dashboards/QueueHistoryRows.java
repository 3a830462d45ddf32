package io.lapwing.dashboards;

/** Capacity, demand and waiting times over time. */
final class QueueHistoryRows {

  private QueueHistoryRows() {}

  static Row capacity() {
    return Row.of(
        "Capacity",
        Panel.lines(
                "GPUs by state",
                "GPUs of the selected groups by what they do." + QueueNowRow.OVERLAP,
                Unit.COUNT,
                Query.lines(
                    """
                    sum by (state) (max by (cluster, group, state) (
                      lapwing_drain_group_gpus{group, state!="returnable"}))
                    """,
                    "{{state}}"))
            .size(8, 8)
            .stacked()
            .from(0),
        Panel.lines(
                "Largest job that fits",
                "GPUs of the largest job of whole nodes that could start, by group.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, max by (group) (lapwing_drain_group_largest_gang_gpus{group}))",
                    "{{group}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Share out of service",
                "Share of the GPUs of a group on nodes that are drained, down or do not answer,"
                    + " whoever took them. Above the line LapwingCapacityOutOfService fires.",
                Unit.RATIO,
                Query.lines("topk($top, max by (group) (" + QueueNowRow.lost() + "))", "{{group}}"))
            .size(8, 8)
            .scale(Scale.rising(0.2))
            .from(0));
  }

  static Row waits() {
    return Row.of(
        "Queue",
        Panel.lines(
                "Wanted GPUs by what jobs wait for",
                "GPUs that waiting jobs want.",
                Unit.COUNT,
                Query.lines(layers("sum", "queue_gpus"), "{{layer}}"))
            .size(8, 8)
            .stacked()
            .from(0),
        Panel.lines(
                "Wanted GPUs by account",
                "Accounts whose waiting jobs want the most GPUs.",
                Unit.COUNT,
                Query.lines(
                    "topk($top, sum by (account) (lapwing_drain_queue_gpus{group}))",
                    "{{account}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Oldest wait by what jobs wait for",
                "Time since the job that waits longest may start.",
                Unit.SECONDS,
                Query.lines(layers("max", "queue_oldest_wait_seconds"), "{{layer}}"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "Wait until start, within an hour",
                "How long jobs that started within the hour before had waited: the middle 80 % and"
                    + " the extremes, precise to the bounds of the histogram.",
                Unit.SECONDS,
                Bands.ofHistogram(
                    "sum by (le) (rate(lapwing_drain_queue_wait_seconds_bucket{group}[1h]))"))
            .size(12, 8)
            .bands()
            .from(0)
            .whenEmpty("No job started"),
        Panel.heat(
                "Wait until start, distribution",
                "Jobs that started, by how long they had waited.",
                Unit.SECONDS,
                Query.buckets(
                    "sum by (le) (increase(lapwing_drain_queue_wait_seconds_bucket{group}[$__rate_interval]))"))
            .size(12, 8));
  }

  private static String layers(String operator, String family) {
    return operator + " by (layer) (lapwing_drain_" + family + "{group})";
  }
}
