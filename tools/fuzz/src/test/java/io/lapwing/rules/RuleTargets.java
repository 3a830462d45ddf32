package io.lapwing.rules;

import io.lapwing.fuzz.Target;
import io.lapwing.rules.promql.Promql;
import io.lapwing.rules.promql.PromqlException;
import java.util.List;

/** Input of the rule lint. */
public final class RuleTargets {

  private RuleTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("promql", RuleTargets::query)
            .seeds(
                "sum by (a, b) (rate(x{y=~\"z.*\",w!=\"1\"}[5m:30s] offset 1h)) > bool 0x1f",
                "a * on (b) group_left (c) d unless ignoring (e) -f ^ 2 # words\n",
                "histogram_quantile(0.99, sum(rate(h_bucket[1h30m])) without (x)) @ end()",
                "quantile_over_time(.5, {__name__=\"a\"}[1d]) or 'text' == `raw`"),
        Target.ofText("template", RuleTargets::template)
            .seeds(
                "{{ $labels.node }} is {{ with printf \"a{node=%q}\" $labels.node | query }}"
                    + "{{ . | first | value }}{{ end }}"));
  }

  private static void query(String text) {
    try {
      Promql.parse(text).children();
    } catch (PromqlException declared) {
      // The message has the position.
    }
  }

  private static void template(String text) {
    Template template = new Template(text);
    template.labels();
    template.words();
    try {
      template.queries();
    } catch (IllegalArgumentException declared) {
      // A query that is not a string.
    }
  }
}
