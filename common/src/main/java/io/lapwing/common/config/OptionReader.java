package io.lapwing.common.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Reads the options of a program: a flag overrides a variable, a variable overrides the file. An
 * invalid value is replaced by that of a weaker source, or the default.
 *
 * @param complete whether every option has a value
 * @param problems one line each, with its place
 * @param warnings one line each, for the log
 */
public record OptionReader(
    OptionValues values, boolean complete, List<String> problems, List<String> warnings) {

  public OptionReader {
    problems = List.copyOf(problems);
    warnings = List.copyOf(warnings);
  }

  /** {@code check} adds the problems of values that contradict each other. */
  public static OptionReader read(
      OptionTable table,
      OptionValues.ConfigSource flags,
      Map<String, String> environment,
      Consumer<OptionValues> check) {
    List<Option<?>> options = table.options();
    OptionValues.ConfigSource variables = new Environment(table).read(environment);
    OptionValues.ConfigSource file =
        new OptionValues(options, List.of(variables, flags))
            .get(table.configFile())
            .map(path -> ConfigFile.read(path, table))
            .orElseGet(OptionValues.ConfigSource::new);
    List<OptionValues.ConfigSource> sources = List.of(file, variables, flags);
    OptionValues values = new OptionValues(options, sources);
    List<String> problems = new ArrayList<>();
    List<String> warnings = new ArrayList<>();
    sources.forEach(source -> problems.addAll(source.problems()));
    sources.forEach(source -> warnings.addAll(source.warnings()));
    boolean complete = values.isComplete(options);
    if (complete) {
      check.accept(values);
    }
    problems.addAll(values.problems());
    return new OptionReader(values, complete, problems, warnings);
  }

  /** The variables with the program's prefix. An empty one counts as not set. */
  static final class Environment {
    private final String prefix;
    private final Set<String> reserved;
    private final Map<String, Option<?>> options;

    Environment(OptionTable table) {
      this.prefix = table.prefix();
      this.reserved = table.reserved();
      this.options =
          table.options().stream().collect(Collectors.toMap(table::variable, option -> option));
    }

    OptionValues.ConfigSource read(Map<String, String> variables) {
      OptionValues.ConfigSource source = new OptionValues.ConfigSource();
      // Sorted, so that the same environment gives the same messages.
      new TreeMap<>(variables).forEach((name, text) -> read(name, text, source));
      return source;
    }

    private void read(String name, String text, OptionValues.ConfigSource source) {
      if (!name.startsWith(prefix) || text.isEmpty() || reserved.contains(name)) {
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
}
