package io.lapwing.agent;

import io.lapwing.agent.cli.CheckCommand;
import io.lapwing.agent.cli.ClearCommand;
import io.lapwing.agent.cli.Commands;
import io.lapwing.agent.cli.ConfigCheck;
import io.lapwing.agent.cli.EventsCommand;
import io.lapwing.agent.cli.MaintenanceForm;
import io.lapwing.agent.cli.OperatorCommand;
import io.lapwing.agent.cli.PolicyCommand;
import io.lapwing.agent.cli.ReleaseForm;
import io.lapwing.agent.cli.ReplayCommand;
import io.lapwing.agent.cli.RequestSender;
import io.lapwing.agent.cli.TestFindingForm;
import io.lapwing.agent.config.Configuration;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.deep.DeepCommand;
import io.lapwing.agent.deep.GpuWorker;
import io.lapwing.agent.dropin.ExporterStart;
import io.lapwing.agent.dropin.FromExporterCommand;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.metrics.Build;
import io.lapwing.agent.names.MigrateCommand;
import io.lapwing.agent.preset.Preset;
import io.lapwing.agent.replay.LogReplay;
import io.lapwing.agent.support.SupportCommand;
import io.lapwing.agent.top.TopCommand;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.log.Logging;
import io.lapwing.common.web.WebServer.ListenException;
import io.lapwing.linux.SystemZone;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import java.io.PrintStream;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;

/** The main class of {@code lapwing-agent.jar}. */
public final class Main {

  private static final int WRONG_USE = 2;
  private static final String USAGE =
      """
      usage: lapwing <command> [<args> ...]

      Operate a node:
        agent [<flags>]        Run the agent: serve metrics and health of this node. agent --help lists the flags.
        check [<flags>]        Show the health verdict of this node. check --help lists the exit codes.
        check --deep [<flags>] Test the GPUs of a node without a job. check --deep --help lists the flags.
        top [<flags>]          Show this node in the terminal, live.
        events [<flags>]       Show what happened on this node, newest last.
        support-bundle [<flags>] Write one file for a support case: configuration without secrets, health, events.
        clear [<flags>]        Acknowledge findings that are fixed.
        maintenance [<flags>]  Start, end or show maintenance, during which alerts of this node do not page.
        release [<flags>]      Close the GPUs for a time, so that they can be reset.
        policy show [<flags>]  Show the effective policy of each rule and each XID. Takes the flags of the agent.
        policy check FILE      Check a policy file.
        metrics                List all metrics.
        migrate names FILE ... Translate dashboards and rules to the names of dcgm-exporter 4.9, or back.
        migrate from-dcgm-exporter FILE ... Show Lapwing's settings for those of dcgm-exporter, and every difference.
        dcgm-exporter [<flags>] Run the agent with the flags and variables of dcgm-exporter.
        version [--json]       Show the version, the revision and the Java runtime.

      Try:
        test-finding [<flags>] Open a finding that tries the alerts.
        replay [<flags>]       Evaluate a recorded kernel log.
      """;

  private Main() {}

  public static void main(String[] args) {
    int code = run(List.of(args));
    if (code != 0) {
      System.exit(code);
    }
  }

  private static int run(List<String> args) {
    String command = args.isEmpty() ? "" : args.get(0);
    List<String> rest = args.isEmpty() ? args : args.subList(1, args.size());
    return switch (command) {
      case "agent" -> agent(rest);
      case "check" ->
          rest.contains(DeepCommand.FLAG)
              ? new DeepCommand(System.getenv(), System.out, System.err).run(rest)
              : check().run(rest);
      case "top" ->
          new TopCommand(System.getenv(), check(), InstantSource.system(), System.out, System.err)
              .run(rest);
      case "events" ->
          new EventsCommand(check(), InstantSource.system(), System.out, System.err).run(rest);
      case "support-bundle" ->
          new SupportCommand(
                  check(),
                  VersionText.json(Build.ofThisJar()),
                  InstantSource.system(),
                  System.out,
                  System.err)
              .run(rest);
      case GpuWorker.COMMAND -> new GpuWorker(System.out).run(rest);
      case "clear" ->
          new ClearCommand(check(), RequestSender.TO_AGENT, System.out, System.err).run(rest);
      case "maintenance" -> operator(new MaintenanceForm()).run(rest);
      case "release" -> operator(new ReleaseForm()).run(rest);
      case "test-finding" -> operator(new TestFindingForm()).run(rest);
      case "replay" -> new ReplayCommand(new LogReplay()::replay, System.out, System.err).run(rest);
      case "migrate" -> migrate(rest);
      case ExporterStart.NAME -> exporter(rest);
      case "metrics" ->
          rest.isEmpty()
              ? print(metrics(CollectorGroup.catalogue()))
              : isHelp(rest.get(0))
                  ? print(USAGE)
                  : wrong(List.of("metrics takes no arguments, not '" + rest.get(0) + "'"), USAGE);
      case "policy" -> policy(rest);
      case "--version" -> print(VersionText.of(Build.ofThisJar()));
      case "version" -> version(rest);
      case "help" -> rest.isEmpty() ? print(USAGE) : run(List.of(rest.get(0), "--help"));
      case "--help", "-h" -> print(USAGE);
      case "" -> wrong(List.of("a command is missing"), USAGE);
      default -> unknown(command);
    };
  }

  private static int migrate(List<String> args) {
    return !args.isEmpty() && args.get(0).equals(FromExporterCommand.NAME)
        ? new FromExporterCommand(System.out, System.err).run(args.subList(1, args.size()))
        : new MigrateCommand(System.out, System.err).run(args);
  }

  private static int exporter(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      return print(ExporterStart.HELP);
    }
    if (args.contains("--version") || args.contains("-v")) {
      return print(VersionText.of(Build.ofThisJar()));
    }
    ExporterStart start = ExporterStart.of(args, System.getenv());
    start.warnings().forEach(warning -> System.err.println("lapwing: warning: " + warning));
    return agent(start.flags());
  }

  private static int version(List<String> args) {
    if (args.equals(List.of("--json"))) {
      return print(VersionText.json(Build.ofThisJar()));
    }
    if (!args.isEmpty() && isHelp(args.get(0))) {
      return print(USAGE);
    }
    return args.isEmpty()
        ? print(VersionText.of(Build.ofThisJar()))
        : wrong(List.of("version takes only --json, not '" + args.get(0) + "'"), "");
  }

  private static boolean isHelp(String word) {
    return word.equals("--help") || word.equals("-h");
  }

  private static CheckCommand check() {
    return new CheckCommand(System.getenv(), CheckCommand::evaluateOnce, System.out, System.err);
  }

  private static OperatorCommand operator(OperatorCommand.Form form) {
    return new OperatorCommand(
        form, InstantSource.system(), check(), RequestSender.TO_AGENT, System.out, System.err);
  }

  private static int agent(List<String> args) {
    try {
      Invocation invocation =
          SettingsReader.read(args, System.getenv(), CollectorGroup.collectors());
      if (invocation instanceof Invocation.Help help) {
        return print(help.text());
      }
      if (invocation instanceof Invocation.Run run) {
        return agent(run.configuration(), args);
      }
      return invocation instanceof Invocation.Check check
          ? check(check)
          : print(VersionText.of(Build.ofThisJar()));
    } catch (ConfigException wrong) {
      return wrong(wrong.problems(), "");
    } catch (ListenException taken) {
      return wrong(List.of(String.valueOf(taken.getMessage())), "");
    }
  }

  private static int agent(Configuration configuration, List<String> args)
      throws ConfigException, ListenException {
    SystemZone.defer();
    Logging.start(configuration.settings().log());
    try {
      return Agent.run(
          configuration,
          () -> SettingsReader.read(args, System.getenv(), CollectorGroup.collectors()));
    } catch (ConfigException first) {
      // The first file that is wrong ended the start; the others may be wrong too.
      List<String> all = ConfigCheck.ofFiles(configuration.settings());
      throw all.isEmpty() ? first : new ConfigException(all);
    }
  }

  private static int check(Invocation.Check check) throws ConfigException {
    check.configuration().ifPresent(read -> Logging.start(read.settings().log()));
    check
        .configuration()
        .map(Configuration::warnings)
        .orElse(List.of())
        .forEach(warning -> System.err.println("lapwing: warning: " + warning));
    return print(ConfigCheck.run(check));
  }

  private static int policy(List<String> args) {
    try {
      return print(new PolicyCommand(HealthRules.specs()).run(args, System.getenv()));
    } catch (ConfigException wrong) {
      return wrong(wrong.problems(), args.isEmpty() ? PolicyCommand.USAGE : "");
    }
  }

  static String metrics(MetricCatalogue catalogue) {
    StringBuilder text = new StringBuilder();
    for (Metric metric : catalogue.metrics()) {
      text.append(metric.name())
          .append(metric.labels().isEmpty() ? "" : "{" + String.join(",", metric.labels()) + "}")
          .append(' ')
          .append(metric.type().text())
          .append(" (")
          .append(Preset.of(metric.name()).text())
          .append(')')
          .append(": ")
          .append(metric.help())
          .append('\n');
    }
    return text.toString();
  }

  private static int print(String text) {
    PrintStream out = System.out;
    out.println(text.stripTrailing());
    return 0;
  }

  private static int unknown(String command) {
    wrong(List.of(Commands.unknown(command)), "");
    return Commands.UNKNOWN;
  }

  private static int wrong(List<String> problems, String usage) {
    problems.forEach(problem -> System.err.println("lapwing: " + problem));
    Arrays.stream(usage.split("\n")).filter(line -> !line.isEmpty()).forEach(System.err::println);
    return WRONG_USE;
  }
}
