package io.lapwing.agent.config;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The {@code LAPWING_...} variables. An empty one counts as not set. */
final class Environment {
  /** Read by other parts of Lapwing, so no typing mistakes. */
  private static final Set<String> RESERVED = Set.of("LAPWING_SIM_STATE", "LAPWING_STEPS_DIR");

  private final Map<String, Option<?>> options;
  private final OldKeys oldKeys;

  Environment(List<Option<?>> options, OldKeys oldKeys) {
    this.oldKeys = oldKeys;
    this.options = options.stream().collect(Collectors.toMap(Option::variable, option -> option));
  }

  Layer read(Map<String, String> variables) {
    Layer layer = new Layer();
    // Sorted, so that the same environment gives the same messages.
    new TreeMap<>(variables).forEach((name, text) -> read(name, text, layer));
    return layer;
  }

  private void read(String name, String text, Layer layer) {
    if (!name.startsWith(Option.VARIABLE_PREFIX) || text.isEmpty() || RESERVED.contains(name)) {
      return;
    }
    String place = "environment " + name;
    Optional<OldKeys.Renamed> old = oldKeys.variable(name);
    old.ifPresent(
        key -> layer.warnings().add(place + ": is called " + Option.variable(key.now()) + " now"));
    Option<?> option = options.get(old.map(key -> Option.variable(key.now())).orElse(name));
    if (option == null) {
      layer.warnings().add(place + ": unknown" + Nearest.hint(name, options.keySet()));
    } else {
      layer.given().add(new Given(option, text, place));
    }
  }
}
