package io.lapwing.agent.config;

import java.util.Set;

/** The names of the enabled collectors. */
public record CollectorSettings(Set<String> enabled) {

  public CollectorSettings {
    enabled = Set.copyOf(enabled);
  }

  public boolean enabled(String collector) {
    return enabled.contains(collector);
  }
}
