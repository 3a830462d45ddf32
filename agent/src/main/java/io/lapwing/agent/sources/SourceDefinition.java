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
 * A source that is read from the beginning, and how settings decide about it.
 *
 * @param keys of the options that it is made of, as in the file
 * @param wanted whether it is read at all
 * @param madeOf what of the settings it is made of: where that changes, it is made anew
 * @param source makes it; the sources that it finds go into the set
 */
public record SourceDefinition(
    Set<String> keys,
    Predicate<Settings> wanted,
    Function<Settings, List<?>> madeOf,
    BiFunction<Settings, SourceSet, Source> source) {

  /** One that no setting changes. */
  public static SourceDefinition of(
      Predicate<Settings> wanted, BiFunction<Settings, SourceSet, Source> source) {
    return new SourceDefinition(Set.of(), wanted, settings -> List.of(), source);
  }

  /** One of collectors, of which any is enough. */
  public static Predicate<Settings> any(List<String> collectors) {
    return settings -> collectors.stream().anyMatch(settings.collectors()::enabled);
  }

  public static Predicate<Settings> any(String collector) {
    return any(List.of(collector));
  }
}
