package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Promql;
import io.lapwing.rules.promql.PromqlException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** Checks of a rule beyond those of promtool. */
public final class RuleLint {

  /** Default base URL of the runbooks; a site may replace it. */
  public static final String RUNBOOKS = "https://lapwing.example/runbooks/";

  /** Default base URL of the dashboards; without another one a site gets no such annotation. */
  static final String DASHBOARDS = "https://lapwing.example/d/";

  private static final Set<String> ANNOTATIONS = Set.of("summary", "description", "runbook_url");

  /** Also of alerts on a node: its EC2 instance and jobs, and where it is shown. */
  private static final Set<String> OF_A_NODE =
      Set.of("summary", "description", "runbook_url", "affects", "dashboard_url", "ui_url");

  private static final Set<String> OF_OTHERS =
      Set.of("summary", "description", "runbook_url", "dashboard_url");

  /** Required labels of each alert and their allowed values, on which consumers of alerts rely. */
  static final Map<String, Set<String>> LABELS =
      Map.of(
          "severity",
          Set.of("critical", "warning", "info"),
          "action",
          Set.of(
              "none",
              "watch",
              "restart_app",
              "restart_service",
              "reset_gpu",
              "reboot_node",
              "replace_node"),
          "scope",
          Set.of("gpu", "xid", "efa", "lustre", "training", "inference", "node", "agent", "fleet"));

  private static final Pattern ALERT = Pattern.compile("(Lapwing|Dcgm)([A-Z][A-Za-z0-9]+)");

  /** {@code level:metric:operation}, and the three tables that a site edits. */
  private static final Pattern RECORD =
      Pattern.compile(
          "[a-z_]+:[A-Za-z_][A-Za-z0-9_]*:[a-z_0-9]+"
              + "|lapwing:(instance_price_dollars_per_hour|series_budget|automation_budget_nodes)");

  private static final Duration LONGEST_HOLD = Duration.ofHours(6);

  private final Catalogue catalogue;
  private final QueryCheck check;

  public RuleLint(Catalogue catalogue) {
    this.catalogue = catalogue;
    this.check = new QueryCheck(catalogue);
  }

  /** One line per mistake, with file, group and rule. */
  public List<String> problems(Rule rule) {
    List<String> problems = new ArrayList<>();
    try {
      Expr query = rule.query();
      problems.addAll(check.problems(query));
      if (rule.alert()) {
        problems.addAll(alert(rule, query));
      } else if (!RECORD.matcher(rule.name()).matches()) {
        problems.add("its name is not level:metric:operation");
      }
    } catch (PromqlException unreadable) {
      problems.add(String.valueOf(unreadable.getMessage()));
    }
    return problems.stream().map(problem -> rule.place() + ": " + problem).toList();
  }

  private List<String> alert(Rule rule, Expr query) {
    List<String> problems = new ArrayList<>();
    if (!ALERT.matcher(rule.name()).matches()) {
      problems.add("its name starts with neither Lapwing nor Dcgm");
    }
    if (!Filters.filters(query)) {
      problems.add("it has no comparison, so it fires for every series");
    }
    query
        .nodes()
        .filter(Expr.Aggregation.class::isInstance)
        .map(node -> ((Expr.Aggregation) node).operator())
        .filter(Set.of("topk", "bottomk")::contains)
        .forEach(operator -> problems.add(operator + " depends on the other series"));
    if (rule.hold().compareTo(LONGEST_HOLD) > 0) {
      problems.add("its for of " + rule.hold() + " is too long");
    }
    problems.addAll(labels(rule, query));
    problems.addAll(annotations(rule, query));
    return problems;
  }

  private List<String> labels(Rule rule, Expr query) {
    List<String> problems = new ArrayList<>();
    Set<String> ofSeries = catalogue.labels(query);
    new TreeSet<>(LABELS.keySet())
        .forEach(
            label -> {
              String value = rule.labels().get(label);
              if (value == null && !ofSeries.contains(label)) {
                problems.add("it has no label " + label);
              }
              if (value != null) {
                new Template(value)
                    .words().stream()
                        .filter(word -> !LABELS.getOrDefault(label, Set.of()).contains(word))
                        .forEach(word -> problems.add(label + " is never " + word));
              }
            });
    rule.labels()
        .forEach(
            (label, value) -> {
              if (value.contains("$value") || value.contains(".Value")) {
                problems.add(
                    "the label " + label + " changes with the value: a new alert each time");
              }
            });
    return problems;
  }

  private List<String> annotations(Rule rule, Expr query) {
    List<String> problems = new ArrayList<>();
    Set<String> labels = new TreeSet<>(catalogue.labels(query));
    labels.addAll(rule.labels().keySet());
    Set<String> expected = expected(rule, labels);
    if (!rule.annotations().keySet().equals(expected)) {
      problems.add("its annotations are not " + new TreeSet<>(expected));
      return problems;
    }
    String dashboard = rule.annotations().getOrDefault("dashboard_url", DASHBOARDS);
    if (!dashboard.startsWith(DASHBOARDS)) {
      problems.add("its dashboard is not below " + DASHBOARDS);
    }
    new Template(rule.annotations().getOrDefault("affects", ""))
        .queries().stream()
            .flatMap(asked -> check.problems(Promql.parse(asked)).stream())
            .forEach(problem -> problems.add("in what it affects, " + problem));
    String summary = rule.annotations().getOrDefault("summary", "");
    if (summary.contains("{{") || !summary.endsWith(".")) {
      problems.add("its summary is not one fixed sentence");
    }
    String runbook = RUNBOOKS + rule.name() + ".md";
    if (!runbook.equals(rule.annotations().get("runbook_url"))) {
      problems.add("its runbook is not " + runbook);
    }
    Template description = new Template(rule.annotations().getOrDefault("description", ""));
    description.labels().stream()
        .filter(label -> !labels.contains(label))
        .forEach(label -> problems.add("its description names $labels." + label + ", not there"));
    if (labels.contains("instance") && !description.labels().contains("instance")) {
      problems.add("its description does not name the node");
    }
    description.queries().stream()
        .flatMap(asked -> check.problems(Promql.parse(asked)).stream())
        .forEach(problem -> problems.add("in its description, " + problem));
    return problems;
  }

  /** A node without Lapwing has none of its pages, and the watchdog is about no node. */
  private static Set<String> expected(Rule rule, Set<String> labels) {
    if (rule.name().equals("LapwingWatchdog")) {
      return ANNOTATIONS;
    }
    if (rule.name().startsWith("Dcgm")) {
      boolean mayPage = rule.labels().getOrDefault("severity", "critical").equals("critical");
      return mayPage ? with(ANNOTATIONS, "affects") : ANNOTATIONS;
    }
    if (labels.contains("instance")) {
      return OF_A_NODE;
    }
    return rule.annotations().containsKey("affects") ? with(OF_OTHERS, "affects") : OF_OTHERS;
  }

  private static Set<String> with(Set<String> annotations, String another) {
    Set<String> more = new TreeSet<>(annotations);
    more.add(another);
    return more;
  }
}
