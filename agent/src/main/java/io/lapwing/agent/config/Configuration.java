package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The resolved configuration, with the place where each option was set. */
public final class Configuration {

  /** Options for which setting the default differs from not setting them. */
  private static final Set<Option<?>> UNSET_DIFFERS =
      Set.of(Options.HEALTH_PROFILE, Options.IMDS_URL);

  private final List<Option.CollectorSwitch> collectors;
  private final List<Option<?>> options;
  private final OptionValues values;
  private final Map<String, String> environment;
  private final Settings settings;
  private final List<String> warnings;

  Configuration(
      List<Option.CollectorSwitch> collectors,
      OptionValues values,
      Map<String, String> environment,
      List<String> warnings) {
    this.collectors = collectors;
    this.options = Options.with(collectors);
    this.values = values;
    this.environment = environment;
    this.warnings = List.copyOf(warnings);
    this.settings = new SettingsAssembly(values, collectors, environment).settings();
  }

  public Settings settings() {
    return settings;
  }

  /** One line each, for the log. */
  public List<String> warnings() {
    return warnings;
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
  public Reloaded with(Configuration next, Set<String> held) {
    OptionValues merged =
        next.values.keeping(values, option -> !option.reloadable() || held.contains(option.name()));
    List<Change> changes = new ArrayList<>();
    List<Change> waiting = new ArrayList<>();
    for (Option<?> option : options) {
      if (differs(option, next)) {
        boolean isHeld = held.contains(option.name());
        (option.reloadable() && !isHeld ? changes : waiting)
            .add(new Change(option.name(), text(option), next.text(option), isHeld));
      }
    }
    return new Reloaded(
        new Configuration(collectors, merged, environment, next.warnings), changes, waiting);
  }

  private boolean differs(Option<?> option, Configuration next) {
    if (option.isCollector()) {
      return !text(option).equals(next.text(option));
    }
    boolean bothSet = values.isGiven(option) == next.values.isGiven(option);
    return !values.get(option).equals(next.values.get(option))
        || (UNSET_DIFFERS.contains(option) && !bothSet);
  }

  private String text(Option<?> option) {
    if (option.isCollector()) {
      return String.valueOf(settings.collectors().enabled(option.collector()));
    }
    if (UNSET_DIFFERS.contains(option) && !values.isGiven(option)) {
      return "";
    }
    return option.type().shown(values.text(option));
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

  /** The new configuration, the applied changes, and those that need a restart. */
  public record Reloaded(Configuration configuration, List<Change> changes, List<Change> waiting) {

    public Reloaded {
      changes = List.copyOf(changes);
      waiting = List.copyOf(waiting);
    }
  }
}
