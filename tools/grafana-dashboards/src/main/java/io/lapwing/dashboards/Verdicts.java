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
   * Nodes that Prometheus could not scrape. Those of a type that is not selected are left out as
   * long as the type is known, an hour; a node that never answered is always in.
   */
  static String silent() {
    return """
        (max by (cluster, instance) (up{cluster, job="lapwing"}) == 0
          unless on (cluster, instance) last_over_time(lapwing_node_info{cluster, instance_type!~"$instance_type"}[1h]))
        """;
  }

  /** Time since the last scrape that a silent node answered, to a minute, within a day. */
  static String silentFor() {
    return """
        (time() - max by (cluster, instance) (max_over_time(timestamp(up{cluster, job="lapwing"} == 1)[1d:1m]))
          and on (cluster, instance) %s)
        """
        .formatted(silent());
  }

  /** Nodes of the selected type with one of the selected verdicts. */
  static String chosen() {
    return """
        (instance:lapwing_node_verdict:code{type}
          and on (cluster, instance) lapwing_node_verdict{cluster, verdict=~"$verdict"} == 1)
        """;
  }

  /** One series with the labels cluster and instance for each node to act on. */
  static String actedOn() {
    return "max by (cluster, instance) ("
        + chosen()
        + " or on (cluster, instance) "
        + silent()
        + ")";
  }

  /**
   * Ten times the verdict's code and the action's of the nodes with a selected verdict; 29 of those
   * that do not answer.
   */
  static String urgency() {
    return """
        (10 * max by (cluster, instance) (%s)
          + on (cluster, instance) group_left ()
            max by (cluster, instance) (instance:lapwing_node_action:code{cluster})
          or on (cluster, instance) 29 + 0 * %s)
        """
        .formatted(chosen(), silent());
  }

  /** One finding for each node to act on: the worst of those with the node's action. */
  static String firstFinding() {
    return """
        topk by (cluster, instance) (1,
          %s and on (cluster, instance, action) lapwing_node_action{cluster} == 1)
          and on (cluster, instance) %s
        """
        .formatted(findings("{cluster"), chosen());
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
