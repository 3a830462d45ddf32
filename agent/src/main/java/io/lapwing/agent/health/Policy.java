package io.lapwing.agent.health;

import io.lapwing.xid.XidInfo;
import io.lapwing.xid.XidTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The dispositions of all XIDs and rules.
 *
 * @param profile {@code aws}, {@code nvidia} or {@code balanced}, and the site's file where there
 *     is one
 * @param xids by number
 * @param unknownXid for all other numbers
 * @param rules all rules, by name
 */
public record Policy(
    String profile,
    Map<Integer, Disposition> xids,
    Disposition unknownXid,
    Map<String, RulePolicy> rules) {

  private static final Pattern NUMBERED = Pattern.compile("(s?xid)_([0-9]{1,5})(?:_repeated)?");

  public Policy {
    xids = Map.copyOf(xids);
    rules = Map.copyOf(rules);
  }

  /** The policy of a node; {@code profile} overrides that of {@code site}. */
  public static Policy of(
      Profile profile, XidTable table, List<RuleSpec> rules, PolicyOverrides site) {
    Map<Integer, Disposition> xids = new HashMap<>();
    for (XidInfo xid : table.all()) {
      xids.put(xid.number(), site.xid(xid.number()).of(profile.of(xid)));
    }
    Disposition unknown = site.unknownXid().of(unknown(profile, table));
    site.xids().forEach((number, change) -> xids.computeIfAbsent(number, n -> change.of(unknown)));
    Map<String, RulePolicy> policies = new HashMap<>();
    for (RuleSpec rule : rules) {
      policies.put(rule.name(), rule(profile, rule, site.rule(rule.name())));
    }
    String name = profile + site.file().map(file -> " + " + file).orElse("");
    return new Policy(name, xids, unknown, policies);
  }

  private static Disposition unknown(Profile profile, XidTable table) {
    // No XID has the number 0.
    return profile.of(table.get(0));
  }

  private static RulePolicy rule(
      Profile profile, RuleSpec rule, PolicyOverrides.RuleChange change) {
    Map<String, Double> thresholds = new HashMap<>();
    for (RuleSpec.Threshold threshold : rule.thresholds()) {
      thresholds.put(
          threshold.name(),
          change.thresholds().getOrDefault(threshold.name(), profile.of(threshold)));
    }
    return new RulePolicy(
        rule, change.enabled().orElse(true), change.disposition().of(profile.of(rule)), thresholds);
  }

  public Disposition xid(int number) {
    return Optional.ofNullable(xids.get(number)).orElse(unknownXid);
  }

  public RulePolicy rule(String name) {
    RulePolicy rule = rules.get(name);
    if (rule == null) {
      throw new IllegalArgumentException("no rule " + name);
    }
    return rule;
  }

  /**
   * The disposition of findings with this value of the label {@code rule}, such as {@code xid_79}
   * or {@code gpu_lost}; empty if no finding has it.
   */
  public Optional<Disposition> ofFindings(String rule) {
    Matcher numbered = NUMBERED.matcher(rule);
    if (numbered.matches()) {
      String kind = numbered.group(1);
      int number = Integer.parseInt(numbered.group(2));
      return kind.equals("xid")
          ? Optional.ofNullable(xids.get(number))
          : Optional.ofNullable(rules.get(kind)).map(RulePolicy::disposition);
    }
    boolean named = !rule.equals("xid") && !rule.equals("sxid");
    return rules.values().stream()
        .filter(one -> named && one.spec().hasFinding(rule))
        .findFirst()
        .map(RulePolicy::disposition);
  }
}
