package io.lapwing.agent.cli;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.PolicyOverrides.RuleChange;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.common.text.PlainText;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The effective policy, as {@code lapwing policy show} prints it. */
final class PolicyText {

  private static final int SECONDS_PER_MINUTE = 60;

  private final EffectivePolicy effective;
  private final List<RuleSpec> rules;
  private final XidTable table;
  private final StringBuilder text = new StringBuilder();

  private PolicyText(EffectivePolicy effective, List<RuleSpec> rules, XidTable table) {
    this.effective = effective;
    this.rules = rules;
    this.table = table;
  }

  /** Every rule with its thresholds and every XID, each with its disposition and its origin. */
  static String of(EffectivePolicy effective, List<RuleSpec> rules, XidTable table) {
    return new PolicyText(effective, rules, table).text();
  }

  private String text() {
    text.append("profile      ")
        .append(profile())
        .append(" (")
        .append(effective.profileFrom())
        .append(")\npolicy file  ")
        .append(effective.site().file().orElse("none"))
        .append("\n\n");
    rules();
    text.append('\n');
    xids();
    return text.toString();
  }

  private Profile profile() {
    return effective.profile();
  }

  private void rules() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("RULE", "SEVERITY", "ACTION", "URGENCY", "HOLD", "RELEASE", "FROM"));
    for (RuleSpec rule : rules) {
      rows.add(rule(rule));
    }
    List<String> lines = aligned(rows);
    text.append(lines.get(0)).append('\n');
    for (int i = 0; i < rules.size(); i++) {
      text.append(lines.get(i + 1)).append('\n');
      rules.get(i).grace().ifPresent(this::start);
      rules.get(i).thresholds().forEach(threshold(rules.get(i)));
    }
  }

  private List<String> rule(RuleSpec rule) {
    RulePolicy policy = effective.policy().rule(rule.name());
    RuleChange change = effective.site().rule(rule.name());
    Disposition call = policy.disposition();
    boolean ofSite = change.enabled().isPresent() || !call.equals(profile().of(rule));
    return List.of(
        rule.name(),
        policy.enabled() ? call.severity().text() : "off",
        policy.enabled() ? call.action().text() : "-",
        policy.enabled() ? call.urgency().text() : "-",
        duration(rule.openAfter()),
        duration(rule.closeAfter()),
        from(ofSite, profile().of(rule)));
  }

  private void start(RuleSpec.Grace grace) {
    Disposition form = grace.form();
    text.append("  at first ")
        .append(form.severity().text())
        .append(", ")
        .append(form.action().text())
        .append(", until it has lasted ")
        .append(duration(grace.until()))
        .append('\n');
  }

  private Consumer<Threshold> threshold(RuleSpec rule) {
    Map<String, Double> changed = effective.site().rule(rule.name()).thresholds();
    RulePolicy policy = effective.policy().rule(rule.name());
    return threshold ->
        text.append("  ")
            .append(threshold.name())
            .append(" = ")
            .append(PlainText.number(policy.threshold(threshold.name())))
            .append(' ')
            .append(threshold.unit())
            .append(
                changed.containsKey(threshold.name())
                    ? "  (" + file() + "; default " + PlainText.number(threshold.preset()) + ")"
                    : "  (default)")
            .append('\n');
  }

  private void xids() {
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("XID", "NAME", "SEVERITY", "ACTION", "URGENCY", "FROM"));
    new TreeMap<>(effective.policy().xids())
        .forEach((number, call) -> rows.add(xid(String.valueOf(number), table.get(number), call)));
    rows.add(xid("unknown", table.get(0), effective.policy().unknownXid()));
    aligned(rows).forEach(line -> text.append(line).append('\n'));
  }

  private List<String> xid(String number, XidInfo xid, Disposition call) {
    Disposition preset = profile().of(xid);
    return List.of(
        number,
        xid.name(),
        call.severity().text(),
        call.action().text(),
        call.urgency().text(),
        from(!call.equals(preset), preset));
  }

  private String from(boolean ofSite, Disposition preset) {
    String ofProfile = "profile " + profile();
    return ofSite ? file() + "; " + ofProfile + ": " + words(preset) : ofProfile;
  }

  private String file() {
    return effective.site().file().orElse("");
  }

  private static String words(Disposition call) {
    return call.severity().text() + " " + call.action().text() + " " + call.urgency().text();
  }

  private static String duration(Duration duration) {
    long seconds = duration.toSeconds();
    boolean minutes = seconds > 0 && seconds % SECONDS_PER_MINUTE == 0;
    return minutes ? seconds / SECONDS_PER_MINUTE + "m" : seconds + "s";
  }

  private static List<String> aligned(List<List<String>> rows) {
    int columns = rows.get(0).size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.size(); i++) {
      line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
    }
    return line.toString().stripTrailing();
  }
}
