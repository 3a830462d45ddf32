package io.lapwing.agent.config;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The {@code LAPWING_...} variables. An empty one counts as not set. */
final class Environment {
  /** Read by the simulator and the steps library, so not typing mistakes. */
  private static final Set<String> RESERVED = Set.of("LAPWING_SIM_STATE", "LAPWING_STEPS_DIR");

  private final Map<String, Option<?>> options;

  Environment(List<Option<?>> options) {
    this.options = options.stream().collect(Collectors.toMap(Option::variable, option -> option));
  }

  ConfigSource read(Map<String, String> variables) {
    ConfigSource source = new ConfigSource();
    // Sorted, so that the same environment gives the same messages.
    new TreeMap<>(variables).forEach((name, text) -> read(name, text, source));
    return source;
  }

  private void read(String name, String text, ConfigSource source) {
    if (!name.startsWith(Option.VARIABLE_PREFIX) || text.isEmpty() || RESERVED.contains(name)) {
      return;
    }
    String place = "environment " + name;
    Option<?> option = options.get(name);
    if (option == null) {
      source.warnings().add(place + ": unknown" + SpellingHint.of(name, options.keySet()));
    } else {
      source.add(option, text, place);
    }
  }
}
