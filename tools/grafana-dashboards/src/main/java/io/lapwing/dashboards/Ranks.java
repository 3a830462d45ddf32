package io.lapwing.dashboards;

/**
 * Series of training ranks, verified or not. Any user of a node can run unverified ranks of any
 * job: they are left out of figures about several ranks, and marked in lines of single ones.
 */
final class Ranks {

  private static final String RANK = "on (cluster, instance, job_id, run, rank)";

  /** Behind the names of the series of unverified ranks. */
  static final String MARK = ", not verified";

  private Ranks() {}

  /** A vector of ranks, {@code {job}} or {@code {node}}, without those that are not verified. */
  static String verified(String vector) {
    return "(" + vector + " unless " + RANK + " " + denied(vector) + ")";
  }

  /** Those that are not verified. */
  static String unverified(String vector) {
    return "(" + vector + " and " + RANK + " " + denied(vector) + ")";
  }

  /**
   * GPU-seconds that the ranks of a job lost within the time range, by rank and cause: their time
   * by the part of a GPU that they hold, all of it where that is unknown. Time lost because of
   * another rank names no GPU.
   */
  static String lostGpuSeconds() {
    String lost = "increase(lapwing_training_lost_seconds_total{job}[$__range])";
    String held = "avg_over_time(rank:lapwing_training_gpu_held:max{job}[$__range])";
    return """
        (
          %1$s * on (cluster, instance, job_id, run, rank, gpu) group_left () %2$s
          or %1$s * %3$s group_left () avg by (cluster, instance, job_id, run, rank) (%2$s)
          or %1$s
        )
        """
        .formatted(lost, held, RANK);
  }

  private static String denied(String vector) {
    String selector = vector.contains("{node") ? "{node" : "{job";
    return "lapwing_training_info" + selector + ", verified=\"0\"}";
  }
}
