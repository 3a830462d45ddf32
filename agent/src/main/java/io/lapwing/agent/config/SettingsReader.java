package io.lapwing.agent.config;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.Flags;
import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionReader;
import io.lapwing.common.config.OptionTable;
import io.lapwing.common.config.OptionValues;
import io.lapwing.common.text.TimeText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads the configuration: a flag overrides a variable, a variable overrides the file. */
public final class SettingsReader {
  private static final Duration MIN_CADENCE = Duration.ofMillis(200);

  private static final String USAGE =
      """
      usage: lapwing agent [<flags>]

      Serves metrics and health of this node (GPUs, EFA, Lustre, training jobs) to Prometheus.

      Flags (--help-long has whole sentences):
      """;

  private static final String ENABLED = " (enabled)";

  private SettingsReader() {}

  /** Reads flags, variables and the file that they name; throws every problem. */
  public static Invocation read(
      List<String> args, Map<String, String> environment, List<CollectorSwitch> collectors)
      throws ConfigException {
    return read(CommandLine.Rest.all(args), environment, collectors);
  }

  /** The same for a command that has flags of its own, too. */
  public static Invocation read(
      CommandLine.Rest args, Map<String, String> environment, List<CollectorSwitch> collectors)
      throws ConfigException {
    OptionTable table = Options.table(collectors);
    Flags flags = new Flags(table);
    Flags.Parsed parsed = flags.parse(args);
    if (parsed.help()) {
      return new Invocation.Help(help(flags, table, parsed.whole()));
    }
    if (parsed.version()) {
      return new Invocation.Version();
    }
    OptionReader read =
        OptionReader.read(table, parsed.source(), environment, SettingsReader::checkCadences);
    Supplier<Configuration> configuration =
        () -> new Configuration(collectors, read.values(), environment, read.warnings());
    if (parsed.check()) {
      return new Invocation.Check(
          read.complete() ? Optional.of(configuration.get()) : Optional.empty(), read.problems());
    }
    ConfigException.throwAny(read.problems());
    return new Invocation.Run(configuration.get());
  }

  /** {@code whole}: of {@code --help-long}, with whole sentences instead of a line each. */
  static String help(Flags flags, OptionTable table, boolean whole) {
    List<Flags.Section> sections = OptionGroup.sections(table.options());
    return whole
        ? flags.help(USAGE, Options.LISTEN_ADDRESS, sections, SettingsReader::standing)
        : flags.summary(
            USAGE,
            Options.LISTEN_ADDRESS,
            sections,
            option -> standing(option).replace(ENABLED, ""));
  }

  private static String standing(Option<?> option) {
    if (!CollectorSwitch.isOf(option)) {
      return "";
    }
    return option.defaultText().equals("true") ? ENABLED : " (disabled)";
  }

  private static void checkCadences(OptionValues values) {
    if (values.get(Options.FAST).compareTo(MIN_CADENCE) < 0) {
      values.problem(
          Options.FAST,
          values.text(Options.FAST) + " is shorter than " + TimeText.exact(MIN_CADENCE));
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
