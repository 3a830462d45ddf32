package io.lapwing.dashboards;

/** Queries for verdicts, findings and actions. */
final class Verdicts {

  /** The severity of findings as a number, ordered like the verdict codes. */
  private static final String SEVERITY =
      """
      (3 * lapwing_health_finding%1$s, severity="failing", test=""}
       or 2 * lapwing_health_finding%1$s, severity="unknown", test=""}
       or 1 * lapwing_health_finding%1$s, severity="degraded", test=""}
       or 0 * lapwing_health_finding%1$s, severity="info", test=""})
      """;

  private Verdicts() {}

  /**
   * Ten times the verdict's code and the action's of all nodes that are not healthy; 29 of those
   * that do not answer.
   */
  static String urgency(String nodes) {
    return """
        (10 * max by (cluster, instance, instance_type) (instance:lapwing_node_verdict:code%s} > 0)
          + on (cluster, instance) group_left ()
            max by (cluster, instance) (instance:lapwing_node_action:code{cluster})
          or on (cluster, instance)
            29 + 0 * (max by (cluster, instance) (up{cluster, job="lapwing"}) == 0))
        """
        .formatted(nodes);
  }

  /** The selected findings with the code of their severity. */
  static String findings(String nodes) {
    return "max by (cluster, instance, rule, subject, gpu, action, severity) ("
        + SEVERITY.formatted(nodes)
        + ")";
  }

  /** Age of each finding, seconds. */
  static String findingAge(String nodes) {
    return """
        max by (cluster, instance, rule, subject, gpu, action, severity) (
          time() - lapwing_health_finding_since_timestamp_seconds%s, test=""})
        """
        .formatted(nodes);
  }
}
