package io.lapwing.agent.cli;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.PolicyOverrides;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.common.config.ConfigException;
import io.lapwing.xid.XidTable;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

public final class PolicyCommand {

  public static final String USAGE =
      """
      usage: lapwing policy show [flags]  print the policy of an agent with these flags
             lapwing policy check FILE    check a policy file
      """;

  private final List<RuleSpec> rules;
  private final XidTable table = XidTable.load();

  public PolicyCommand(List<RuleSpec> rules) {
    this.rules = List.copyOf(rules);
  }

  /**
   * The output for the arguments after {@code policy}; throws all problems, also those of a policy
   * file.
   */
  public String run(List<String> args, Map<String, String> environment) throws ConfigException {
    String verb = args.isEmpty() ? "" : args.get(0);
    List<String> rest = args.isEmpty() ? args : args.subList(1, args.size());
    return switch (verb) {
      case "show" -> show(rest, environment);
      case "check" -> check(rest);
      case "--help", "-h" -> USAGE;
      case "" -> throw problem("show or check is missing");
      default -> throw problem("'" + verb + "' is neither show nor check");
    };
  }

  /** Accepts all flags of the agent, so that its own command line shows its policy. */
  private String show(List<String> args, Map<String, String> environment) throws ConfigException {
    Invocation invocation = SettingsReader.read(args, environment, CollectorGroup.collectors());
    if (!(invocation instanceof Invocation.Run run)) {
      return USAGE;
    }
    run.warnings().forEach(warning -> System.err.println("lapwing: " + warning));
    EffectivePolicy effective = EffectivePolicy.load(run.settings().health(), table, rules);
    return PolicyText.of(effective, rules, table);
  }

  private String check(List<String> args) throws ConfigException {
    if (args.contains("--help") || args.contains("-h")) {
      return USAGE;
    }
    if (args.size() != 1) {
      throw problem("check takes one file");
    }
    Settings.Health settings =
        new Settings.Health(
            Optional.empty(),
            Optional.of(path(args.get(0))),
            OptionalInt.empty(),
            OptionalInt.empty());
    EffectivePolicy effective = EffectivePolicy.load(settings, table, rules);
    PolicyOverrides site = effective.site();
    boolean unknown = !site.unknownXid().equals(PolicyOverrides.DispositionChange.NONE);
    return "%s is valid: profile %s; XIDs changed: %d, rules changed: %d"
        .formatted(
            args.get(0),
            effective.profile(),
            site.xids().size() + (unknown ? 1 : 0),
            site.rules().size());
  }

  private static Path path(String text) throws ConfigException {
    try {
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw problem("check: '" + text + "' is not a path");
    }
  }

  private static ConfigException problem(String message) {
    return new ConfigException(List.of("policy: " + message));
  }
}
