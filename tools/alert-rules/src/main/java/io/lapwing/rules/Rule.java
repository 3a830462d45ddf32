package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Promql;
import java.time.Duration;
import java.util.Map;

/**
 * One rule of a rule file.
 *
 * @param file the file's name, without its folder
 * @param name the alert, or the series that it records
 * @param alert whether it is an alert
 * @param hold the {@code for} of an alert; zero if not set
 */
public record Rule(
    String file,
    String group,
    String name,
    boolean alert,
    String expr,
    Duration hold,
    Map<String, String> labels,
    Map<String, String> annotations) {

  public Rule {
    labels = Map.copyOf(labels);
    annotations = Map.copyOf(annotations);
  }

  /** Location, for messages. */
  public String place() {
    return file + ", group " + group + ", " + (alert ? "alert " : "record ") + name;
  }

  /**
   * The query as a tree.
   *
   * @throws io.lapwing.rules.promql.PromqlException if it is not valid PromQL
   */
  public Expr query() {
    return Promql.parse(expr);
  }
}
