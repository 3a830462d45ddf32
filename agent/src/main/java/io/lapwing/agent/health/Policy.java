package io.lapwing.agent.health;

import java.util.Map;
import java.util.Optional;

/**
 * The dispositions of all XIDs and rules.
 *
 * @param profile {@code aws} or {@code nvidia}, and the site's file where there is one
 * @param xids by number
 * @param unknownXid for all other numbers
 * @param rules all rules, by name
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
}
