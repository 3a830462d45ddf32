package io.lapwing.agent;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Threshold;
import io.lapwing.metric.Metric;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code docs/health-rules.md}: what each rule finds, what it means, and what says so. */
final class HealthRulesDocument {

  private static final String INTRODUCTION =
      """
      # Health rules

      Made from the rules in the code; a test holds both equal.

      A **call** is what a finding means: how it changes the verdict, what is to be done, and when. Profile `aws` has what
      AWS advises for its fleets, profile `nvidia` what NVIDIA's documents say. Where a rule knows milder forms of a fault,
      its call is that of the gravest, and a ceiling for the others: what a site sets there, no form is called worse than.

      A finding **counts after** it was seen for that long without a break, and **goes after** it was not seen for that long.
      A **threshold** is a number that a site may set. A rule whose families no device of the node has sees nothing, and
      is listed as unwatched.

      | rule | what it finds | aws | nvidia |
      |---|---|---|---|
      """;

  private final StringBuilder page = new StringBuilder(INTRODUCTION);

  private HealthRulesDocument() {}

  static String markdown(List<HealthRule> rules) {
    HealthRulesDocument document = new HealthRulesDocument();
    rules.forEach(rule -> document.row(rule.spec()));
    rules.forEach(document::section);
    return document.page.toString();
  }

  private void row(RuleSpec spec) {
    line(
        "| [`%s`](#%s) | %s | %s | %s |",
        spec.name(), spec.name(), spec.about(), text(spec.aws()), text(spec.nvidia()));
  }

  private void section(HealthRule rule) {
    RuleSpec spec = rule.spec();
    line("");
    line("## %s", spec.name());
    line("");
    line("%s", spec.about());
    line("");
    line("- **Calls:** aws %s; nvidia %s", text(spec.aws()), text(spec.nvidia()));
    line("- **Why:** %s", spec.why());
    line("- **Says who:** %s", spec.document());
    line(
        "- **Counts after:** %s; **goes after:** %s",
        text(spec.openAfter()), text(spec.closeAfter()));
    if (!rule.needs().isEmpty()) {
      line("- **Looks at:** %s", names(rule.needs()));
    }
    if (!spec.thresholds().isEmpty()) {
      line("");
      line("| threshold | preset | from | to | unit | |");
      line("|---|---|---|---|---|---|");
      spec.thresholds().forEach(this::threshold);
    }
  }

  private void threshold(Threshold threshold) {
    line(
        "| `%s` | %s | %s | %s | %s | %s |",
        threshold.name(),
        number(threshold.preset()),
        number(threshold.least()),
        number(threshold.most()),
        threshold.unit(),
        threshold.about());
  }

  /** {@code failing, reset_gpu now}. */
  private static String text(Disposition call) {
    return call.severity().text()
        + ", `"
        + call.action().text()
        + "` "
        + call.urgency().text().replace('_', ' ');
  }

  private static String text(Duration duration) {
    return duration.isZero()
        ? "at once"
        : duration.toSecondsPart() == 0
            ? duration.toMinutes() + " min"
            : duration.toSeconds() + " s";
  }

  private static String names(List<Metric> metrics) {
    return metrics.stream()
        .map(metric -> "`" + metric.name() + "`")
        .collect(Collectors.joining(", "));
  }

  private static String number(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  private void line(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format, values)).append('\n');
  }
}
