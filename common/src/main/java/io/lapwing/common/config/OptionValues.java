package io.lapwing.common.config;

import io.lapwing.common.config.OptionValues.ConfigSource.RawValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The value of every option: the default, or that of the last source which sets it. */
public final class OptionValues {
  private record Value(Object content, RawValue raw) {}

  private final Map<String, Value> values = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  /** Parses all values of sources, weakest first, including overridden ones. */
  OptionValues(List<Option<?>> options, List<ConfigSource> sources) {
    options.forEach(
        option -> put(new RawValue(option, option.defaultText(), "default of " + option.name())));
    given.clear();
    sources.forEach(source -> source.values().forEach(this::put));
  }

  private OptionValues(OptionValues from) {
    values.putAll(from.values);
    given.addAll(from.given);
  }

  /** A copy in which the options that match keep their previous value. */
  public OptionValues keeping(OptionValues previous, Predicate<Option<?>> kept) {
    OptionValues merged = new OptionValues(this);
    previous.values.forEach(
        (name, value) -> {
          if (kept.test(value.raw().option())) {
            merged.values.put(name, value);
            merged.given.remove(name);
            if (previous.given.contains(name)) {
              merged.given.add(name);
            }
          }
        });
    return merged;
  }

  @SuppressWarnings("unchecked") // put() stores what the option's own type has parsed
  public <T> T get(Option<T> option) {
    return (T) value(option).content();
  }

  /** Whether a source sets the option; false for a default. */
  public boolean isGiven(Option<?> option) {
    return given.contains(option.name());
  }

  public void problem(Option<?> option, String message) {
    problems.add(value(option).raw().problem(message));
  }

  public String text(Option<?> option) {
    return value(option).raw().text();
  }

  /** Where the effective value was set; empty for the default. */
  public String place(Option<?> option) {
    return isGiven(option) ? value(option).raw().place() : "";
  }

  /** Whether every option has a value. On some nodes a default is invalid too. */
  public boolean isComplete(List<Option<?>> options) {
    return options.stream().allMatch(option -> values.containsKey(option.name()));
  }

  public List<String> problems() {
    return problems;
  }

  private Value value(Option<?> option) {
    Value value = values.get(option.name());
    if (value == null) {
      throw new IllegalArgumentException(option.name() + " is not in the table");
    }
    return value;
  }

  private void put(RawValue raw) {
    try {
      Object content = raw.option().type().parse(raw.text());
      values.put(raw.option().name(), new Value(content, raw));
      given.add(raw.option().name());
    } catch (ValueType.Invalid e) {
      problems.add(raw.problem("'" + raw.option().type().shown(raw.text()) + "' " + e.text()));
    }
  }

  /** What one source (command line, environment, file) sets, and its problems, one line each. */
  public record ConfigSource(List<RawValue> values, List<String> problems, List<String> warnings) {

    ConfigSource() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }

    void add(Option<?> option, String text, String place) {
      values.add(new RawValue(option, text, place));
    }

    /** An unparsed value; {@code place} starts an error line: {@code flag --log.level}. */
    public record RawValue(Option<?> option, String text, String place) {

      String problem(String message) {
        return place + ": " + message;
      }
    }
  }
}
