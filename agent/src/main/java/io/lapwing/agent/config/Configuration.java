package io.lapwing.agent.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What the operator asks for, read from all places, with what each of them gave. */
public final class Configuration {

  /** To give these their default says more than not to give them. */
  private static final Set<Option<?>> SILENCE_COUNTS =
      Set.of(Options.HEALTH_PROFILE, Options.IMDS_URL);

  private final List<CollectorSwitch> collectors;
  private final List<Option<?>> options;
  private final OptionValues values;
  private final Map<String, String> environment;
  private final Settings settings;
  private final List<String> warnings;

  Configuration(
      List<CollectorSwitch> collectors,
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

  /** One line each, to be logged. */
  public List<String> warnings() {
    return warnings;
  }

  /** Every option, in the order of the table. */
  public List<Effective> effective() {
    return options.stream()
        .map(
            option ->
                new Effective(
                    option.name(), text(option), values.place(option), option.reloadable()))
        .toList();
  }

  /**
   * Takes what a running agent can take of a configuration that was read later.
   *
   * @param held keys of options that cannot be changed at this moment
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
    boolean spoken = values.isGiven(option) == next.values.isGiven(option);
    return !values.get(option).equals(next.values.get(option))
        || (SILENCE_COUNTS.contains(option) && !spoken);
  }

  private String text(Option<?> option) {
    if (option.isCollector()) {
      return String.valueOf(settings.collectors().enabled(option.collector()));
    }
    if (SILENCE_COUNTS.contains(option) && !values.isGiven(option)) {
      return "";
    }
    // The query of a page may be a token.
    return option.equals(Options.INFERENCE_SCRAPE)
        ? values.text(option).replaceAll("\\?[^,]*", "?...")
        : values.text(option);
  }
}
