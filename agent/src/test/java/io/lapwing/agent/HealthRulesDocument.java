package io.lapwing.agent;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.metric.Metric;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code docs/health-rules.md}: what each rule finds, what it means, and its source. */
final class HealthRulesDocument {

  private static final String INTRODUCTION =
      """
      # Health rules

      Generated from the rules in the code; a test fails if the two differ.

      A **disposition** is the meaning of a finding: its severity, the action and the urgency. Profile `aws` follows what
      AWS advises for its fleets, profile `nvidia` follows NVIDIA's documents. Profile `balanced` is as `nvidia`, but it
      replaces what a reset does not mend; it is named where it differs. Where a rule distinguishes several forms of a
      fault, the disposition shown is that of the most severe form. It is also an upper limit: if a policy file lowers it,
      the milder forms never exceed it.

      A finding **opens after** the fault was present without interruption for that time, and **closes after** it was absent
      for that time. A driver or GPU that does not answer is tried once a minute after some attempts, so its return may be
      found up to a minute late. A **threshold** is a number that a policy file may set. A rule has no input, and is listed as not
      watched, if no device of the node has the metrics that it reads.

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

  private static String balanced(RuleSpec spec) {
    return spec.balanced().equals(spec.nvidia()) ? "" : "; balanced " + text(spec.balanced());
  }

  private void section(HealthRule rule) {
    RuleSpec spec = rule.spec();
    line("");
    line("## %s", spec.name());
    line("");
    line("%s", spec.about());
    line("");
    line(
        "- **Disposition:** aws %s; nvidia %s%s",
        text(spec.aws()), text(spec.nvidia()), balanced(spec));
    spec.grace()
        .ifPresent(
            start ->
                line(
                    "- **At first:** %s, until it has lasted %s",
                    text(start.form()), text(start.until())));
    spec.forms().forEach(form -> line("- **But:** %s, %s", text(form.disposition()), form.when()));
    if (!spec.findings().isEmpty()) {
      line("- **Findings:** `%s`", String.join("`, `", spec.findings()));
    }
    line("- **Why:** %s", spec.why());
    line("- **Source:** %s", spec.document());
    line(
        "- **Opens after:** %s; **closes after:** %s",
        text(spec.openAfter()), text(spec.closeAfter()));
    if (!rule.spec().needs().isEmpty()) {
      line("- **Reads:** %s", names(rule.spec().needs()));
    }
    if (!spec.thresholds().isEmpty()) {
      line("");
      line("| threshold | default | min | max | unit | |");
      line("|---|---|---|---|---|---|");
      spec.thresholds().forEach(this::threshold);
    }
  }

  private void threshold(Threshold threshold) {
    line(
        "| `%s` | %s | %s | %s | %s | %s |",
        threshold.name(),
        number(threshold.preset())
            + (threshold.balanced().isPresent()
                ? " (balanced: " + number(threshold.balanced().getAsDouble()) + ")"
                : ""),
        number(threshold.least()),
        number(threshold.most()),
        threshold.unit(),
        threshold.about());
  }

  /** {@code failing, reset_gpu now}. */
  private static String text(Disposition disposition) {
    return disposition.severity().text()
        + ", `"
        + disposition.action().text()
        + "` "
        + disposition.urgency().text().replace('_', ' ');
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
