package io.lapwing.rules;

import io.lapwing.rules.promql.Expr;
import io.lapwing.rules.promql.Expr.Grouping;
import io.lapwing.rules.promql.Expr.Matching;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The labels that the result of a query may have. */
final class Labels {

  private static final Set<String> ABSENT = Set.of("absent", "absent_over_time");
  private static final Set<String> SCALARS = Set.of("time", "scalar", "pi");

  private final Catalogue catalogue;

  Labels(Catalogue catalogue) {
    this.catalogue = catalogue;
  }

  Set<String> of(Expr expr) {
    if (expr instanceof Expr.Selector selector) {
      return selector(selector);
    }
    if (expr instanceof Expr.Aggregation aggregation) {
      return aggregation(aggregation);
    }
    if (expr instanceof Expr.Binary binary) {
      return binary(binary);
    }
    if (expr instanceof Expr.Call call) {
      return call(call);
    }
    return union(expr.children());
  }

  private Set<String> selector(Expr.Selector selector) {
    if (selector.metric().isEmpty()) {
      return catalogue.everyLabel();
    }
    return catalogue.family(selector.metric()).map(Family::labels).orElseGet(Set::of);
  }

  private Set<String> aggregation(Expr.Aggregation aggregation) {
    Set<String> below = of(aggregation.operand());
    if (aggregation.operator().equals("topk") || aggregation.operator().equals("bottomk")) {
      return below;
    }
    Set<String> labels =
        aggregation.grouping().map(grouping -> kept(below, grouping)).orElseGet(Set::of);
    if (aggregation.operator().equals("count_values")
        && aggregation.arguments().get(0) instanceof Expr.Text text) {
      return plus(labels, List.of(text.value()));
    }
    return labels;
  }

  private static Set<String> kept(Set<String> labels, Grouping grouping) {
    Set<String> kept = new LinkedHashSet<>(labels);
    if (grouping.only()) {
      kept.retainAll(grouping.labels());
    } else {
      grouping.labels().forEach(kept::remove);
    }
    return kept;
  }

  private Set<String> binary(Expr.Binary binary) {
    Set<String> left = of(binary.left());
    Set<String> right = of(binary.right());
    switch (binary.operator()) {
      case "and", "unless" -> {
        return left;
      }
      case "or" -> {
        return plus(left, right);
      }
      default -> {
        if (scalar(binary.left())) {
          return right;
        }
        return scalar(binary.right()) ? left : matched(binary.matching(), left, right);
      }
    }
  }

  private static Set<String> matched(Matching matching, Set<String> left, Set<String> right) {
    if (matching.many() != Matching.Many.NEITHER) {
      Set<String> many = matching.many() == Matching.Many.LEFT ? left : right;
      return plus(many, matching.include());
    }
    Optional<Grouping> on = matching.on();
    if (on.isPresent()) {
      return kept(left, on.get());
    }
    Set<String> both = new LinkedHashSet<>(left);
    both.retainAll(right);
    return both;
  }

  private Set<String> call(Expr.Call call) {
    String function = call.function();
    List<Expr> arguments = call.arguments();
    if (function.startsWith("label_") && arguments.get(1) instanceof Expr.Text made) {
      return plus(of(arguments.get(0)), List.of(made.value()));
    }
    if (function.equals("histogram_quantile")) {
      return kept(of(arguments.get(1)), new Grouping(false, List.of("le")));
    }
    if (ABSENT.contains(function) && arguments.get(0) instanceof Expr.Selector selector) {
      Set<String> equal = new LinkedHashSet<>();
      selector.matchers().stream()
          .filter(matcher -> matcher.operator().equals("="))
          .forEach(matcher -> equal.add(matcher.label()));
      return equal;
    }
    return scalar(call) || function.equals("vector") ? Set.of() : union(arguments);
  }

  /** Whether it is a scalar, without labels to match. */
  private static boolean scalar(Expr expr) {
    if (expr instanceof Expr.Call call) {
      return SCALARS.contains(call.function());
    }
    return !(expr instanceof Expr.Selector)
        && !(expr instanceof Expr.Aggregation)
        && expr.children().stream().allMatch(Labels::scalar);
  }

  private Set<String> union(List<Expr> parts) {
    Set<String> labels = new LinkedHashSet<>();
    parts.forEach(part -> labels.addAll(of(part)));
    return labels;
  }

  private static Set<String> plus(Set<String> some, Iterable<String> more) {
    Set<String> all = new LinkedHashSet<>(some);
    more.forEach(all::add);
    return all;
  }
}
