package io.lapwing.agent.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads settings: a flag comes before a variable, a variable before the file. */
public final class SettingsReader {
  /** Asks for {@link Invocation.Check}; no option, since it makes no sense in a file. */
  static final String CHECK = "--check-config";

  private final List<CollectorSwitch> collectors;
  private final List<Option<?>> options;
  private final OldKeys oldKeys;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private SettingsReader(List<CollectorSwitch> collectors, OldKeys oldKeys) {
    this.collectors = collectors;
    this.options = Options.with(collectors);
    this.oldKeys = oldKeys;
  }

  /**
   * What the operator asks for.
   *
   * @param args the command line behind the subcommand
   * @param collectors those that can be switched on and off
   * @throws ConfigException with every problem there is
   */
  public static Invocation read(
      List<String> args, Map<String, String> environment, List<CollectorSwitch> collectors)
      throws ConfigException {
    return read(args, environment, collectors, OldKeys.TODAY);
  }

  public static Invocation read(
      List<String> args,
      Map<String, String> environment,
      List<CollectorSwitch> collectors,
      OldKeys oldKeys)
      throws ConfigException {
    return new SettingsReader(List.copyOf(collectors), oldKeys).read(args, environment);
  }

  private Invocation read(List<String> args, Map<String, String> environment)
      throws ConfigException {
    List<String> words = oldKeys.flags(args, warnings);
    boolean check = words.removeIf(CHECK::equals);
    Optional<Layer> plain = new PlainFlags(options).read(words);
    return plain.isPresent()
        ? run(plain.get(), environment, check)
        : readAny(words, environment, check);
  }

  private Invocation readAny(List<String> args, Map<String, String> environment, boolean check)
      throws ConfigException {
    Flags flags = new Flags(options);
    Flags.Parsed parsed = flags.parse(args);
    if (parsed.help()) {
      return new Invocation.Help(flags.help());
    }
    return parsed.version() ? new Invocation.Version() : run(parsed.layer(), environment, check);
  }

  private Invocation run(Layer flags, Map<String, String> environment, boolean check)
      throws ConfigException {
    Values values = values(flags, environment);
    if (check) {
      return new Invocation.Check(
          values.areWhole(options)
              ? Optional.of(configuration(values, environment))
              : Optional.empty(),
          List.copyOf(problems));
    }
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new Invocation.Run(configuration(values, environment));
  }

  private Configuration configuration(Values values, Map<String, String> environment) {
    return new Configuration(collectors, values, environment, warnings);
  }

  /** With the default, or what a weaker place gives, for each value that is wrong. */
  private Values values(Layer flags, Map<String, String> environment) {
    Layer variables = new Environment(options, oldKeys).read(environment);
    Values named = new Values(options, List.of(variables, flags));
    Layer file = named.get(Options.CONFIG_FILE).map(this::file).orElseGet(Layer::new);
    List<Layer> layers = List.of(file, variables, flags);
    Values values = new Values(options, layers);
    layers.forEach(layer -> problems.addAll(layer.problems()));
    layers.forEach(layer -> warnings.addAll(layer.warnings()));
    if (values.areWhole(options)) {
      new CadenceCheck(values).run();
    }
    problems.addAll(values.problems());
    return values;
  }

  private Layer file(Path path) {
    return ConfigFile.read(path, options, oldKeys);
  }
}
