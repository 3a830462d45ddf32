package io.lapwing.dashboards;

/**
 * Where a click on a cell or a line leads: another of the dashboards, with time range and variables
 * kept; the node's own page; or the documentation.
 */
public enum Link {
  NODE("Open the node", dashboard("lapwing-node", "var-node=${__data.fields.instance}")),
  JOB("Open the job", dashboard("lapwing-job", "var-job=${__data.fields.job_id}")),
  NODE_OF_LINE("Open the node", dashboard("lapwing-node", "var-node=${__field.labels.instance}")),
  JOB_OF_LINE("Open the job", dashboard("lapwing-job", "var-job=${__field.labels.job_id}")),
  /** The agent's web UI, on its default port. */
  WEB_UI("Open the agent's web UI", "http://${__data.fields.instance}:9754/ui"),
  RULE("Open the rule", "${docs:raw}/health-rules.md#${__data.fields.rule}"),
  RUNBOOK("Open the runbook", "${docs:raw}/runbooks/${__data.fields.alertname}.md"),
  XID("Open the table of XIDs", "${docs:raw}/xids.md");

  private final String title;
  private final String url;

  Link(String title, String url) {
    this.title = title;
    this.url = url;
  }

  private static String dashboard(String uid, String choice) {
    return "/d/"
        + uid
        + "?${__url_time_range}&${datasource:queryparam}&${cluster:queryparam}&"
        + choice;
  }

  public String title() {
    return title;
  }

  /** Dashboards relative to the address of Grafana. */
  public String url() {
    return url;
  }

  /** Whether it leaves Grafana, and opens a tab of its own. */
  boolean leaves() {
    return !url.startsWith("/d/");
  }
}
