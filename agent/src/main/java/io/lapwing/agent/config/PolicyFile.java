package io.lapwing.agent.config;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.PolicyOverrides.DispositionChange;
import io.lapwing.agent.health.PolicyOverrides.RuleChange;
import io.lapwing.agent.health.Profile;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.RuleSpec.Threshold;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.Urgency;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.SpellingHint;
import io.lapwing.common.config.YamlSection;
import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The site's policy file. Whatever it does not mention keeps the profile's value:
 *
 * <pre>{@code
 * profile: aws
 * xids:
 *   63: {severity: degraded, action: reset_gpu, urgency: job_end}
 *   unknown: {severity: info}
 * rules:
 *   sbe_acceleration: {enabled: true, severity: degraded, thresholds: {floor_per_hour: 20}}
 * }</pre>
 */
public final class PolicyFile {
  private static final String UNKNOWN = "unknown";
  private static final List<String> DISPOSITION = List.of("severity", "action", "urgency");
  private static final Pattern XID = Pattern.compile("[1-9][0-9]{0,5}");

  private final XidTable table;
  private final Map<String, RuleSpec> rules;
  private final List<String> problems = new ArrayList<>();

  private PolicyFile(XidTable table, List<RuleSpec> rules) {
    this.table = table;
    this.rules = rules.stream().collect(Collectors.toMap(RuleSpec::name, Function.identity()));
  }

  /** Reads the changes to the profile; throws every problem with file, line and key. */
  public static PolicyOverrides read(Path file, XidTable table, List<RuleSpec> rules)
      throws ConfigException {
    return new PolicyFile(table, rules).read(file);
  }

  private PolicyOverrides read(Path file) throws ConfigException {
    PolicyOverrides changes = changes(YamlSection.read(file, problems));
    ConfigException.throwAny(problems);
    return changes;
  }

  private PolicyOverrides changes(YamlSection top) {
    top.allow(List.of("profile", "xids", "rules"));
    Optional<YamlSection> xids = top.section("xids");
    return new PolicyOverrides(
        Optional.of(top.file().toString()),
        top.word("profile", Profile.values(), Profile::toString),
        xids.map(this::xids).orElse(Map.of()),
        xids.flatMap(section -> section.section(UNKNOWN))
            .map(PolicyFile::onlyCall)
            .orElse(DispositionChange.NONE),
        top.section("rules").map(this::rules).orElse(Map.of()));
  }

  private Map<Integer, DispositionChange> xids(YamlSection section) {
    Map<Integer, DispositionChange> changes = new HashMap<>();
    for (String key : section.keys()) {
      if (key.equals(UNKNOWN)) {
        continue;
      }
      if (!XID.matcher(key).matches()) {
        section.problem(key, "is neither an XID nor " + UNKNOWN + xidHint(key));
        continue;
      }
      DispositionChange change =
          section.section(key).map(PolicyFile::onlyCall).orElse(DispositionChange.NONE);
      int number = Integer.parseInt(key);
      if (table.find(number).isEmpty() && !change.isComplete()) {
        section.problem(
            key, "unknown XID: severity, action and urgency are required" + xidHint(key));
      }
      changes.put(number, change);
    }
    return changes;
  }

  private String xidHint(String key) {
    List<String> known = new ArrayList<>(List.of(UNKNOWN));
    table.all().stream().map(XidInfo::number).map(String::valueOf).forEach(known::add);
    return SpellingHint.of(key, known);
  }

  private static DispositionChange onlyCall(YamlSection section) {
    section.allow(DISPOSITION);
    return disposition(section);
  }

  private static DispositionChange disposition(YamlSection section) {
    return new DispositionChange(
        section.word("severity", Severity.values(), Severity::text),
        section.word("action", Action.values(), Action::text),
        section.word("urgency", Urgency.values(), Urgency::text));
  }

  private Map<String, RuleChange> rules(YamlSection section) {
    Map<String, RuleChange> changes = new HashMap<>();
    for (String name : section.keys()) {
      RuleSpec rule = rules.get(name);
      if (rule == null) {
        section.problem(name, "unknown rule" + hint(name));
      } else {
        section.section(name).ifPresent(keys -> changes.put(name, rule(keys, rule)));
      }
    }
    return changes;
  }

  /** Reports call an XID a rule. */
  private String hint(String rule) {
    return rule.matches("xid_[0-9]+")
        ? " (XIDs are in the section xids: " + rule.substring("xid_".length()) + ")"
        : SpellingHint.of(rule, rules.keySet());
  }

  private static RuleChange rule(YamlSection section, RuleSpec rule) {
    List<String> known = new ArrayList<>(List.of("enabled", "thresholds"));
    known.addAll(DISPOSITION);
    section.allow(known);
    return new RuleChange(
        section.flag("enabled"),
        disposition(section),
        section.section("thresholds").map(keys -> thresholds(keys, rule)).orElse(Map.of()));
  }

  private static Map<String, Double> thresholds(YamlSection section, RuleSpec rule) {
    section.allow(rule.thresholds().stream().map(Threshold::name).toList());
    Map<String, Double> changes = new HashMap<>();
    for (Threshold threshold : rule.thresholds()) {
      section
          .number(threshold.name(), threshold.least(), threshold.most())
          .ifPresent(number -> changes.put(threshold.name(), number));
    }
    return changes;
  }
}
