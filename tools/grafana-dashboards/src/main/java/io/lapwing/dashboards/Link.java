package io.lapwing.dashboards;

/**
 * Where a click on a cell or a line leads: another of the dashboards, the time range and what was
 * chosen kept.
 */
public enum Link {
  NODE("lapwing-node", "Open the node", "var-node=${__data.fields.instance}"),
  JOB("lapwing-job", "Open the job", "var-job=${__data.fields.job_id}"),
  NODE_OF_LINE("lapwing-node", "Open the node", "var-node=${__field.labels.instance}"),
  JOB_OF_LINE("lapwing-job", "Open the job", "var-job=${__field.labels.job_id}");

  private final String uid;
  private final String title;
  private final String choice;

  Link(String uid, String title, String choice) {
    this.uid = uid;
    this.title = title;
    this.choice = choice;
  }

  public String title() {
    return title;
  }

  /** Relative to the address of Grafana. */
  public String url() {
    return "/d/"
        + uid
        + "?${__url_time_range}&${datasource:queryparam}&${cluster:queryparam}&"
        + choice;
  }
}
