package io.lapwing.agent.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads settings: a flag comes before a variable, a variable before the file. */
public final class SettingsReader {
  private final List<CollectorSwitch> collectors;
  private final List<Option<?>> options;
  private final List<String> problems = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private SettingsReader(List<CollectorSwitch> collectors) {
    this.collectors = collectors;
    this.options = Options.with(collectors);
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
    return new SettingsReader(List.copyOf(collectors)).read(args, environment);
  }

  private Invocation read(List<String> args, Map<String, String> environment)
      throws ConfigException {
    Optional<Layer> plain = new PlainFlags(options).read(args);
    return plain.isPresent() ? run(plain.get(), environment) : readAny(args, environment);
  }

  private Invocation readAny(List<String> args, Map<String, String> environment)
      throws ConfigException {
    Flags flags = new Flags(options);
    Flags.Parsed parsed = flags.parse(args);
    if (parsed.help()) {
      return new Invocation.Help(flags.help());
    }
    return parsed.version() ? new Invocation.Version() : run(parsed.layer(), environment);
  }

  private Invocation run(Layer flags, Map<String, String> environment) throws ConfigException {
    return new Invocation.Run(settings(flags, environment), List.copyOf(warnings));
  }

  private Settings settings(Layer flags, Map<String, String> environment) throws ConfigException {
    Layer variables = new Environment(options).read(environment);
    Values named = new Values(options, List.of(variables, flags));
    Layer file = named.get(Options.CONFIG_FILE).map(this::file).orElseGet(Layer::new);
    List<Layer> layers = List.of(file, variables, flags);
    Values values = new Values(options, layers);
    layers.forEach(layer -> problems.addAll(layer.problems()));
    layers.forEach(layer -> warnings.addAll(layer.warnings()));
    new CadenceCheck(values).run();
    problems.addAll(values.problems());
    if (!problems.isEmpty()) {
      throw new ConfigException(problems);
    }
    return new SettingsAssembly(values, collectors, environment).settings();
  }

  private Layer file(Path path) {
    return ConfigFile.read(path, options);
  }
}
