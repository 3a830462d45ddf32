package io.lapwing.dashboards;

import java.util.List;

/**
 * A dashboard variable.
 *
 * @param query of the values; the values with commas, each as {@code text : value} or alone; or the
 *     constant
 * @param text regex for the values and texts of a query's result, else empty
 * @param several whether several values, or all, can be selected
 * @param all regex for all values: {@code .*} where the label may be missing
 * @param chosen the values that are selected first; of a query of one value, that value and its
 *     text; empty for all, or for the first
 */
public record Variable(
    String name,
    String label,
    Kind kind,
    String query,
    String text,
    boolean several,
    String all,
    Order order,
    List<String> chosen) {

  /** Grafana's type of variable. */
  public enum Kind {
    DATASOURCE,
    QUERY,
    CUSTOM,
    CONSTANT
  }

  /** Sort order of the values, with Grafana's number. */
  public enum Order {
    ALPHABETIC(1),
    NUMERIC(3),
    NEWEST(4);

    private final int number;

    Order(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  public static final Variable DATASOURCE =
      of("datasource", "Data Source", Kind.DATASOURCE, "prometheus");

  /** Base URL of the runbooks and of {@code health-rules.md} and {@code xids.md}. */
  public static final Variable DOCS =
      of("docs", "Documentation", Kind.CONSTANT, "https://lapwing.example");

  public static final Variable CLUSTER =
      values("cluster", "Cluster", "label_values(lapwing_build_info, cluster)", ".*");

  public static final Variable INSTANCE_TYPE =
      values(
          "instance_type",
          "Instance type",
          "label_values(lapwing_node_info{cluster}, instance_type)",
          ".*");

  public static final Variable NODES =
      values("node", "Node", "label_values(lapwing_build_info{cluster}, instance)", ".+");

  public static final Variable NODES_OF_TYPE =
      values("node", "Node", "label_values(lapwing_node_info{type}, instance)", ".+");

  public static final Variable ONE_NODE =
      one("node", "Node", "label_values(lapwing_build_info{cluster}, instance)");

  /** Partitions or node groups, as the drain controller reports them. */
  public static final Variable GROUPS =
      values("group", "Group", "label_values(lapwing_drain_group_gpus{cluster}, group)", ".+");

  public static final Variable GPUS =
      new Variable(
          "gpu",
          "GPU",
          Kind.QUERY,
          Selectors.fill("label_values(lapwing_gpu_info{node}, gpu)"),
          "",
          true,
          ".*",
          Order.NUMERIC,
          List.of());

  /** A single engine: histograms of different engines have different bounds and cannot be added. */
  public static final Variable ONE_ENGINE =
      one("engine", "Engine", "label_values(lapwing_inference_up{node}, engine)");

  /** Jobs that held GPUs within the time range, with name, user and partition; newest first. */
  public static final Variable ONE_JOB = job("job", "Job", jobs("[$__range]"), List.of());

  /**
   * A job to compare with, because tonight's has another id than last night's: those of the time
   * range that the comparison is about, and none.
   */
  public static final Variable OTHER_JOB =
      job(
          "other",
          "Compare with job",
          jobs("[$__range] offset $before")
              + " or label_replace(label_replace(vector(0), \"job_id\", \"-\", \"\", \"\"),"
              + " \"shown\", \"the same job only\", \"\", \"\")",
          List.of("-", "the same job only"));

  /** How many nodes or ranks a panel shows. */
  public static final Variable TOP = of("top", "Top", Kind.CUSTOM, "10,20,50,100");

  public static final Variable VERDICTS =
      new Variable(
          "verdict",
          "Verdict",
          Kind.CUSTOM,
          "failing,unknown,degraded",
          "",
          true,
          "failing|unknown|degraded",
          Order.ALPHABETIC,
          List.of("failing", "unknown"));

  /**
   * How many ranks share a line of a heat map: digits of the rank that the regex keeps. Not every
   * rank at first, because a job may have thousands.
   */
  public static final Variable LINES =
      of(
          "lines",
          "Heat map",
          Kind.CUSTOM,
          "Ten ranks a line : (.+).,Every rank : (.+),A hundred ranks a line : (.+)..");

  public static final Variable BEFORE =
      of(
          "before",
          "Compare with",
          Kind.CUSTOM,
          "1 day before : 1d,2 days before : 2d,1 week before : 7d,1 hour before : 1h");

  private static String jobs(String range) {
    return """
        count by (job_id, shown) (label_join(
          last_over_time(job_id:lapwing_gpu_job_info:max{cluster}%s),
          "shown", " ", "job_id", "job_name", "user", "partition"))
        """
        .formatted(range);
  }

  private static Variable job(String name, String label, String jobs, List<String> chosen) {
    return new Variable(
        name,
        label,
        Kind.QUERY,
        Selectors.fill("query_result(" + jobs + ")"),
        "/job_id=\"(?<value>[^\"]+)\",shown=\"(?<text>[^\"]+?) *\"/",
        false,
        "",
        Order.NEWEST,
        chosen);
  }

  private static Variable of(String name, String label, Kind kind, String query) {
    return new Variable(name, label, kind, query, "", false, "", Order.ALPHABETIC, List.of());
  }

  private static Variable values(String name, String label, String query, String all) {
    return new Variable(
        name, label, Kind.QUERY, Selectors.fill(query), "", true, all, Order.ALPHABETIC, List.of());
  }

  private static Variable one(String name, String label, String query) {
    return of(name, label, Kind.QUERY, Selectors.fill(query));
  }
}
