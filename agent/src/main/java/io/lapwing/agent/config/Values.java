package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** The value of every option: the default, or what the last layer that has it gives. */
final class Values {
  private record Value(Object content, Given given) {}

  private final Map<String, Value> values = new HashMap<>();
  private final Set<String> given = new HashSet<>();
  private final List<String> problems = new ArrayList<>();

  /**
   * @param layers weakest first; a value that is overridden is still checked
   */
  Values(List<Option<?>> options, List<Layer> layers) {
    options.forEach(
        option -> put(new Given(option, option.defaultText(), "default of " + option.name())));
    given.clear();
    layers.forEach(layer -> layer.given().forEach(this::put));
  }

  private Values(Values from) {
    values.putAll(from.values);
    given.addAll(from.given);
  }

  /** The same, but for some options that stay as they were. */
  Values keeping(Values before, Predicate<Option<?>> stays) {
    Values merged = new Values(this);
    before.values.forEach(
        (name, value) -> {
          if (stays.test(value.given().option())) {
            merged.values.put(name, value);
            merged.given.remove(name);
            if (before.given.contains(name)) {
              merged.given.add(name);
            }
          }
        });
    return merged;
  }

  @SuppressWarnings("unchecked") // put() stored what the option's own type has parsed
  <T> T get(Option<T> option) {
    return (T) value(option).content();
  }

  /** Whether anybody but the table gave a value. */
  boolean isGiven(Option<?> option) {
    return given.contains(option.name());
  }

  void problem(Option<?> option, String message) {
    problems.add(value(option).given().problem(message));
  }

  /** An option's effective value as it was written. */
  String text(Option<?> option) {
    return value(option).given().text();
  }

  /** Where it was given; empty for the default. */
  String place(Option<?> option) {
    return isGiven(option) ? value(option).given().place() : "";
  }

  /** Whether there is a value of each; a default can be wrong on a node too. */
  boolean areWhole(List<Option<?>> options) {
    return options.stream().allMatch(option -> values.containsKey(option.name()));
  }

  List<String> problems() {
    return problems;
  }

  private Value value(Option<?> option) {
    Value value = values.get(option.name());
    if (value == null) {
      throw new IllegalArgumentException(option.name() + " is not in the table");
    }
    return value;
  }

  private void put(Given text) {
    try {
      Object content = text.option().type().parse(text.text());
      values.put(text.option().name(), new Value(content, text));
      given.add(text.option().name());
    } catch (BadValue e) {
      problems.add(text.problem("'" + text.text() + "' " + e.text()));
    }
  }
}
