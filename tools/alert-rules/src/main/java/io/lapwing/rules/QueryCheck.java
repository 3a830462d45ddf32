package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Expr.Grouping;
import io.lapwing.rules.promql.Expr.Matcher;
import io.lapwing.rules.promql.Expr.Matching;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Problems of valid queries, of rules and dashboards: names that do not exist, rates of gauges,
 * comparisons of counter values.
 */
public final class QueryCheck {

  /** Range functions for counters only; {@code resets} counts any decrease. */
  private static final Set<String> OF_COUNTERS = Set.of("rate", "irate", "increase");

  /** Functions with a result other than the counter's raw value. */
  private static final Set<String> TAME =
      Set.of(
          "rate",
          "irate",
          "increase",
          "resets",
          "changes",
          "timestamp",
          "absent",
          "absent_over_time",
          "present_over_time",
          "count_over_time",
          "histogram_quantile",
          "count",
          "group");

  /** Four scrapes at the interval of the shipped configurations. */
  private static final Duration SHORTEST = Duration.ofMinutes(1);

  private final Catalogue catalogue;

  public QueryCheck(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** One sentence per mistake; empty without mistakes. */
  public List<String> problems(Expr query) {
    Set<String> problems = new LinkedHashSet<>();
    query.nodes().forEach(node -> problems.addAll(problemsOf(node)));
    return List.copyOf(problems);
  }

  private List<String> problemsOf(Expr node) {
    if (node instanceof Expr.Selector selector) {
      return selector(selector);
    }
    if (node instanceof Expr.Aggregation aggregation) {
      return aggregation
          .grouping()
          .map(grouping -> lacking(grouping.labels(), aggregation.operand()))
          .orElseGet(List::of);
    }
    if (node instanceof Expr.Binary binary) {
      return binary(binary);
    }
    return node instanceof Expr.Call call ? call(call) : List.of();
  }

  private List<String> selector(Expr.Selector selector) {
    List<String> problems = new ArrayList<>();
    String metric = selector.metric();
    if (!metric.isEmpty() && catalogue.family(metric).isEmpty()) {
      problems.add("no series has the name " + metric);
    } else {
      Set<String> labels = catalogue.labels(selector);
      for (Matcher matcher : selector.matchers()) {
        if (!labels.contains(matcher.label()) && !matcher.label().equals("__name__")) {
          problems.add(metric + " has no label " + matcher.label());
        }
      }
    }
    selector
        .range()
        .filter(range -> range.compareTo(SHORTEST) < 0)
        .ifPresent(range -> problems.add(metric + " over less than four scrapes"));
    return problems;
  }

  private List<String> lacking(List<String> labels, Expr below) {
    Set<String> there = catalogue.labels(below);
    return labels.stream()
        .filter(label -> !there.contains(label))
        .map(label -> "no series below has the label " + label + ", only " + there)
        .toList();
  }

  private List<String> binary(Expr.Binary binary) {
    List<String> problems = new ArrayList<>();
    Matching matching = binary.matching();
    matching
        .on()
        .filter(Grouping::only)
        .ifPresent(
            on -> {
              problems.addAll(lacking(on.labels(), binary.left()));
              problems.addAll(lacking(on.labels(), binary.right()));
            });
    boolean left = matching.many() == Matching.Many.LEFT;
    problems.addAll(lacking(matching.include(), left ? binary.right() : binary.left()));
    if (binary.compares()) {
      List.of(binary.left(), binary.right())
          .forEach(side -> bare(side).forEach(name -> problems.add(name + " compared as it is")));
    }
    return problems;
  }

  /** Counters with their raw value in the result. */
  private List<String> bare(Expr expr) {
    boolean tame =
        // A difference of counters is growth and no longer a counter.
        (expr instanceof Expr.Binary binary && binary.operator().equals("-"))
            || (expr instanceof Expr.Call call && TAME.contains(call.function()))
            || (expr instanceof Expr.Aggregation sum && TAME.contains(sum.operator()));
    if (tame) {
      return List.of();
    }
    if (expr instanceof Expr.Selector selector) {
      return isCounter(selector) ? List.of("the counter " + selector.metric()) : List.of();
    }
    return expr.children().stream().flatMap(child -> bare(child).stream()).toList();
  }

  private List<String> call(Expr.Call call) {
    if (!OF_COUNTERS.contains(call.function())) {
      return List.of();
    }
    return call.arguments().stream()
        .filter(Expr.Selector.class::isInstance)
        .map(Expr.Selector.class::cast)
        .filter(selector -> !isCounter(selector) && catalogue.family(selector.metric()).isPresent())
        .map(selector -> call.function() + " of " + selector.metric() + ", which is not a counter")
        .toList();
  }

  private boolean isCounter(Expr.Selector selector) {
    return catalogue.family(selector.metric()).map(Family::counter).orElse(false);
  }
}
