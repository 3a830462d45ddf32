package io.lapwing.dashboards;

/** Queries about verdicts, findings and actions that several dashboards ask. */
final class Verdicts {

  /** The action that a node asks for as a number, the gravest the highest; {@code %s} chooses. */
  private static final String RANK =
      """
      max by (cluster, instance) (
        1 * (lapwing_node_action%1$s, action="watch"} == 1)
        or 2 * (lapwing_node_action%1$s, action="restart_app"} == 1)
        or 3 * (lapwing_node_action%1$s, action="reset_gpu"} == 1)
        or 4 * (lapwing_node_action%1$s, action="reboot_node"} == 1)
        or 5 * (lapwing_node_action%1$s, action="replace_node"} == 1)
        or 0 * (lapwing_node_action%1$s, action="none"} == 1)
      )
      """;

  /** The severity of findings as a number, in the order of the codes of verdicts. */
  private static final String SEVERITY =
      """
      (3 * lapwing_health_finding%1$s, severity="failing"}
       or 2 * lapwing_health_finding%1$s, severity="unknown"}
       or 1 * lapwing_health_finding%1$s, severity="degraded"}
       or 0 * lapwing_health_finding%1$s, severity="info"})
      """;

  private Verdicts() {}

  /**
   * What each node asks for, by {@link Scales#ACTION_RANK}.
   *
   * @param nodes how they are chosen: {@code {node}
   */
  static String actionRank(String nodes) {
    return RANK.formatted(nodes);
  }

  /** Ten times the verdict's code and the action's rank of all nodes that are not healthy. */
  static String urgency(String nodes) {
    return """
        (10 * max by (cluster, instance, instance_type) (instance:lapwing_node_verdict:code%s} > 0)
          + on (cluster, instance) group_left () %s)
        """
        .formatted(nodes, actionRank("{cluster"));
  }

  /** The findings, worst first, of what is chosen. */
  static String findings(String nodes) {
    return "max by (cluster, instance, rule, subject, gpu, action, severity) ("
        + SEVERITY.formatted(nodes)
        + ")";
  }

  /** For how long each finding has stood. */
  static String findingAge(String nodes) {
    return """
        max by (cluster, instance, rule, subject, gpu, action, severity) (
          time() - lapwing_health_finding_since_timestamp_seconds%s})
        """
        .formatted(nodes);
  }
}
