package io.lapwing.agent.sources;

import io.lapwing.agent.config.Settings;
import io.lapwing.collect.Source;
import io.lapwing.collect.SourceSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A root source, and how settings decide about it.
 *
 * @param keys of the options that it depends on, as in the file
 * @param wanted whether it is read at all
 * @param dependencies the settings that it depends on: it is recreated if they change
 * @param source creates it; the sources that it discovers go into the set
 */
public record SourceDefinition(
    Set<String> keys,
    Predicate<Settings> wanted,
    Function<Settings, List<?>> dependencies,
    BiFunction<Settings, SourceSet, Source> source) {

  /** A source that does not depend on settings. */
  public static SourceDefinition of(
      Predicate<Settings> wanted, BiFunction<Settings, SourceSet, Source> source) {
    return new SourceDefinition(Set.of(), wanted, settings -> List.of(), source);
  }

  /** A source that is read if any of its collectors is enabled. */
  public static Predicate<Settings> any(List<String> collectors) {
    return settings -> collectors.stream().anyMatch(settings.collectors()::enabled);
  }

  public static Predicate<Settings> any(String collector) {
    return any(List.of(collector));
  }
}
