package io.lapwing.dashboards;

/**
 * Series of training ranks by what the kernel says of them. Any user of a node can run ranks of any
 * job that are not verified: they are left out of figures about several ranks, and marked in lines
 * of single ones.
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

  private static String denied(String vector) {
    String selector = vector.contains("{node") ? "{node" : "{job";
    return "lapwing_training_info" + selector + ", verified=\"0\"}";
  }
}
