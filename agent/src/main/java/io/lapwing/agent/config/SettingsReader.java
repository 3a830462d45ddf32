package io.lapwing.agent.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Reads the configuration: a flag overrides a variable, a variable overrides the file. */
public final class SettingsReader {
  private static final Duration MIN_CADENCE = Duration.ofMillis(200);

  private final List<Option.CollectorSwitch> collectors;
  private final List<Option<?>> options;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private SettingsReader(List<Option.CollectorSwitch> collectors) {
    this.collectors = collectors;
    this.options = Options.with(collectors);
  }

  /** Reads flags, variables and the file that they name; throws every problem. */
  public static Invocation read(
      List<String> args, Map<String, String> environment, List<Option.CollectorSwitch> collectors)
      throws ConfigException {
    return read(CommandLine.Rest.all(args), environment, collectors);
  }

  /** The same for a command that has flags of its own, too. */
  public static Invocation read(
      CommandLine.Rest args,
      Map<String, String> environment,
      List<Option.CollectorSwitch> collectors)
      throws ConfigException {
    return new SettingsReader(List.copyOf(collectors)).read(args, environment);
  }

  private Invocation read(CommandLine.Rest args, Map<String, String> environment)
      throws ConfigException {
    AgentFlags flags = new AgentFlags(options);
    AgentFlags.Parsed parsed = flags.parse(args);
    if (parsed.help()) {
      return new Invocation.Help(flags.help());
    }
    if (parsed.version()) {
      return new Invocation.Version();
    }
    OptionValues values = values(parsed.source(), environment);
    if (parsed.check()) {
      return new Invocation.Check(
          values.isComplete(options)
              ? Optional.of(configuration(values, environment))
              : Optional.empty(),
          List.copyOf(problems));
    }
    ConfigException.throwAny(problems);
    return new Invocation.Run(configuration(values, environment));
  }

  private Configuration configuration(OptionValues values, Map<String, String> environment) {
    return new Configuration(collectors, values, environment, warnings);
  }

  /** An invalid value is replaced by that of a weaker source, or the default. */
  private OptionValues values(OptionValues.ConfigSource flags, Map<String, String> environment) {
    OptionValues.ConfigSource variables = new Environment(options).read(environment);
    OptionValues.ConfigSource file =
        new OptionValues(options, List.of(variables, flags))
            .get(Options.CONFIG_FILE)
            .map(path -> ConfigFile.read(path, options))
            .orElseGet(OptionValues.ConfigSource::new);
    List<OptionValues.ConfigSource> sources = List.of(file, variables, flags);
    OptionValues values = new OptionValues(options, sources);
    sources.forEach(source -> problems.addAll(source.problems()));
    sources.forEach(source -> warnings.addAll(source.warnings()));
    if (values.isComplete(options)) {
      checkCadences(values);
    }
    problems.addAll(values.problems());
    return values;
  }

  private static void checkCadences(OptionValues values) {
    if (values.get(Options.FAST).compareTo(MIN_CADENCE) < 0) {
      values.problem(
          Options.FAST,
          values.text(Options.FAST) + " is shorter than " + DurationText.of(MIN_CADENCE));
    }
    checkNotLonger(values, Options.FAST, Options.MEDIUM);
    checkNotLonger(values, Options.MEDIUM, Options.SLOW);
  }

  private static void checkNotLonger(
      OptionValues values, Option<Duration> quick, Option<Duration> slow) {
    if (values.get(quick).compareTo(values.get(slow)) > 0) {
      // Report the one that is set, not the one that has its default.
      boolean quickSet = values.isGiven(quick);
      Option<Duration> wrong = quickSet ? quick : slow;
      Option<Duration> other = quickSet ? slow : quick;
      String relation = quickSet ? " is longer than " : " is shorter than ";
      values.problem(
          wrong, values.text(wrong) + relation + other.name() + ", " + values.text(other));
    }
  }

  /** The {@code LAPWING_...} variables. An empty one counts as not set. */
  static final class Environment {
    /** Read by the simulator and the steps library, so not typing mistakes. */
    private static final Set<String> RESERVED = Set.of("LAPWING_SIM_STATE", "LAPWING_STEPS_DIR");

    private final Map<String, Option<?>> options;

    Environment(List<Option<?>> options) {
      this.options = options.stream().collect(Collectors.toMap(Option::variable, option -> option));
    }

    OptionValues.ConfigSource read(Map<String, String> variables) {
      OptionValues.ConfigSource source = new OptionValues.ConfigSource();
      // Sorted, so that the same environment gives the same messages.
      new TreeMap<>(variables).forEach((name, text) -> read(name, text, source));
      return source;
    }

    private void read(String name, String text, OptionValues.ConfigSource source) {
      if (!name.startsWith(Option.VARIABLE_PREFIX) || text.isEmpty() || RESERVED.contains(name)) {
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

  /** What a command line requests. */
  public sealed interface Invocation {

    record Run(Configuration configuration) implements Invocation {

      public Settings settings() {
        return configuration.settings();
      }

      /** One line each, for the log. */
      public List<String> warnings() {
        return configuration.warnings();
      }
    }

    /**
     * Checks the configuration without starting the agent; it is empty if an option has no valid
     * value.
     */
    record Check(Optional<Configuration> configuration, List<String> problems)
        implements Invocation {}

    /** Print a text to standard output and exit 0. */
    record Help(String text) implements Invocation {}

    /** Print the version to standard output and exit 0. */
    record Version() implements Invocation {}
  }
}
