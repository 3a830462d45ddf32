package io.lapwing.rules;

import java.util.List;

/** Rules that are evaluated in sequence. */
public record RuleGroup(String file, String name, List<Rule> rules) {

  public RuleGroup {
    rules = List.copyOf(rules);
  }
}
