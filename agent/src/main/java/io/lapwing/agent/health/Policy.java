package io.lapwing.agent.health;

import java.util.Map;
import java.util.Optional;

/**
 * What everything means on this site.
 *
 * @param profile {@code aws} or {@code nvidia}, and the site's file where there is one
 * @param xids by number; a number that is not there is unknown
 * @param unknownXid for those
 * @param rules by name; every rule is there
 */
public record Policy(
    String profile,
    Map<Integer, Disposition> xids,
    Disposition unknownXid,
    Map<String, RulePolicy> rules) {

  public Policy {
    xids = Map.copyOf(xids);
    rules = Map.copyOf(rules);
  }

  /** What an XID means. */
  public Disposition xid(int number) {
    return Optional.ofNullable(xids.get(number)).orElse(unknownXid);
  }

  /** What holds for a rule. */
  public RulePolicy rule(String name) {
    RulePolicy rule = rules.get(name);
    if (rule == null) {
      throw new IllegalArgumentException("no rule " + name);
    }
    return rule;
  }
}
