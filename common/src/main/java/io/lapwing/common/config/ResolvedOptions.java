package io.lapwing.common.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The values of all options, with the place where each was set. */
public record ResolvedOptions(List<Option<?>> options, OptionValues values, Shown shown) {

  /** How values are compared and shown. */
  public interface Shown {

    /** The value as it would be written, without secrets. */
    default String text(Option<?> option, OptionValues values) {
      return option.type().shown(values.text(option));
    }

    default boolean differs(Option<?> option, OptionValues values, OptionValues next) {
      return !values.get(option).equals(next.get(option));
    }
  }

  public ResolvedOptions {
    options = List.copyOf(options);
  }

  public List<ResolvedOption> effective() {
    return options.stream()
        .map(
            option ->
                new ResolvedOption(
                    option.name(), text(option), values.place(option), option.reloadable()))
        .toList();
  }

  /**
   * Merges a later configuration; options that take a restart, and the keys in {@code held}, keep
   * their value.
   */
  public Reloaded with(ResolvedOptions next, Set<String> held) {
    OptionValues merged =
        next.values.keeping(values, option -> !option.reloadable() || held.contains(option.name()));
    List<Change> changes = new ArrayList<>();
    List<Change> waiting = new ArrayList<>();
    for (Option<?> option : options) {
      if (shown.differs(option, values, next.values)) {
        boolean isHeld = held.contains(option.name());
        (option.reloadable() && !isHeld ? changes : waiting)
            .add(new Change(option.name(), text(option), next.text(option), isHeld));
      }
    }
    return new Reloaded(new ResolvedOptions(options, merged, shown), changes, waiting);
  }

  private String text(Option<?> option) {
    return shown.text(option, values);
  }

  /**
   * An option with its effective value.
   *
   * @param key as in the file
   * @param text the value as it would be written, without possible secrets
   * @param place where it was set; empty for the default
   * @param reloads whether SIGHUP applies a change
   */
  public record ResolvedOption(String key, String text, String place, boolean reloads) {}

  /**
   * A changed value, without secrets. A {@code held} change is only delayed: a later reload can
   * apply it.
   */
  public record Change(String key, String from, String to, boolean held) {

    public Change(String key, String from, String to) {
      this(key, from, to, false);
    }
  }

  /** The new values, the applied changes, and those that need a restart. */
  public record Reloaded(ResolvedOptions options, List<Change> changes, List<Change> waiting) {

    public Reloaded {
      changes = List.copyOf(changes);
      waiting = List.copyOf(waiting);
    }
  }
}
