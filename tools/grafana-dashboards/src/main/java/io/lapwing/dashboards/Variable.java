package io.lapwing.dashboards;

import org.jspecify.annotations.Nullable;

/**
 * A dashboard variable.
 *
 * @param query returns the values; null for the data source
 * @param several whether several values, or all, can be selected
 * @param all regex for all values: {@code .*} where the label may be missing
 */
public record Variable(
    String name, String label, @Nullable String query, boolean several, String all, Order order) {

  /** Sort order of the values, with Grafana's number. */
  public enum Order {
    ALPHABETIC(1),
    NUMERIC(3);

    private final int number;

    Order(int number) {
      this.number = number;
    }

    public int number() {
      return number;
    }
  }

  public static final Variable DATASOURCE =
      new Variable("datasource", "Data Source", null, false, "", Order.ALPHABETIC);

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

  public static final Variable GPUS =
      new Variable(
          "gpu",
          "GPU",
          Selectors.fill("label_values(lapwing_gpu_info{node}, gpu)"),
          true,
          ".*",
          Order.NUMERIC);

  /** A single engine: histograms of different engines have different bounds and cannot be added. */
  public static final Variable ONE_ENGINE =
      one("engine", "Engine", "label_values(lapwing_inference_up{node}, engine)");

  public static final Variable ONE_JOB =
      one("job", "Job", "label_values(lapwing_training_info{cluster}, job_id)");

  private static Variable values(String name, String label, String query, String all) {
    return new Variable(name, label, Selectors.fill(query), true, all, Order.ALPHABETIC);
  }

  private static Variable one(String name, String label, String query) {
    return new Variable(name, label, Selectors.fill(query), false, "", Order.ALPHABETIC);
  }
}
