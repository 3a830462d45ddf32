package io.lapwing.agent.config;

import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionValues;
import io.lapwing.common.config.ResolvedOptions;
import io.lapwing.common.config.ResolvedOptions.Change;
import io.lapwing.common.config.ResolvedOptions.ResolvedOption;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The resolved configuration, with the place where each option was set. */
public final class Configuration {

  private final List<CollectorSwitch> collectors;
  private final ResolvedOptions options;
  private final Map<String, String> environment;
  private final Settings settings;
  private final List<String> warnings;

  Configuration(
      List<CollectorSwitch> collectors,
      OptionValues values,
      Map<String, String> environment,
      List<String> warnings) {
    this.collectors = collectors;
    this.options = new ResolvedOptions(Options.with(collectors), values, new Shown(collectors));
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
    return options.effective();
  }

  /**
   * Merges a later configuration; options that take a restart, and the keys in {@code held}, keep
   * their value.
   */
  public Reloaded with(Configuration next, Set<String> held) {
    ResolvedOptions.Reloaded merged = options.with(next.options, held);
    return new Reloaded(
        new Configuration(collectors, merged.options().values(), environment, next.warnings),
        merged.changes(),
        merged.waiting());
  }

  private record Shown(List<CollectorSwitch> collectors) implements ResolvedOptions.Shown {

    /** Options for which setting the default differs from not setting them. */
    private static final Set<Option<?>> UNSET_DIFFERS =
        Set.of(Options.HEALTH_PROFILE, Options.IMDS_URL);

    @Override
    public String text(Option<?> option, OptionValues values) {
      if (CollectorSwitch.isOf(option)) {
        return String.valueOf(
            SettingsAssembly.enabled(values, collectors).contains(CollectorSwitch.name(option)));
      }
      if (UNSET_DIFFERS.contains(option) && !values.isGiven(option)) {
        return "";
      }
      return option.type().shown(values.text(option));
    }

    @Override
    public boolean differs(Option<?> option, OptionValues values, OptionValues next) {
      if (CollectorSwitch.isOf(option)) {
        return !text(option, values).equals(text(option, next));
      }
      boolean bothSet = values.isGiven(option) == next.isGiven(option);
      return !values.get(option).equals(next.get(option))
          || (UNSET_DIFFERS.contains(option) && !bothSet);
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
