package io.lapwing.rules;

import java.util.List;

/** Rules that a server evaluates one after the other. */
public record RuleGroup(String file, String name, List<Rule> rules) {

  public RuleGroup {
    rules = List.copyOf(rules);
  }
}
