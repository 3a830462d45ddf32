package io.lapwing.drain.app;

import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.Flags;
import io.lapwing.common.config.Option;
import io.lapwing.common.config.OptionReader;
import io.lapwing.common.config.OptionValues;
import io.lapwing.common.config.ResolvedOptions;
import io.lapwing.common.text.TimeText;
import io.lapwing.common.web.WebSecurity;
import io.lapwing.drain.app.DrainOptions.SchedulerKind;
import io.lapwing.drain.app.DrainValueTypes.RepairDriver;
import io.lapwing.drain.policy.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The configuration, with the place where each option was set. */
record Configuration(ResolvedOptions options, List<String> warnings) {

  private record Repair(Option<Mode> mode, Option<RepairDriver> driver, Option<Duration> within) {}

  private static final List<Repair> REPAIRS =
      List.of(
          new Repair(DrainOptions.MODE_RESET, DrainOptions.RESET, DrainOptions.RESET_WITHIN),
          new Repair(DrainOptions.MODE_REBOOT, DrainOptions.REBOOT, DrainOptions.REBOOT_WITHIN),
          new Repair(DrainOptions.MODE_REPLACE, DrainOptions.REPLACE, DrainOptions.REPLACE_WITHIN));

  private static final String USAGE =
      """
      usage: lapwing drain run [<flags>]

      Takes failing nodes out of service, has them repaired and returns them.

      Flags:
      """;

  private static final ResolvedOptions.Shown PLAIN = new ResolvedOptions.Shown() {};

  /** What a command line requests. */
  sealed interface Invocation {

    record Run(Configuration configuration) implements Invocation {}

    /**
     * Checks the configuration and starts nothing.
     *
     * @param problems none if it is valid
     * @param warnings problems with which the controller starts nevertheless
     */
    record Check(String summary, List<String> problems, List<String> warnings)
        implements Invocation {}

    /** Print a text to standard output and exit 0. */
    record Print(String text) implements Invocation {}

    record Version() implements Invocation {}
  }

  /** Reads flags, variables and the file that they name; throws every problem. */
  static Invocation read(
      List<String> args, Map<String, String> environment, ParallelClusterHost host)
      throws ConfigException {
    return read(CommandLine.Rest.all(args), environment, host);
  }

  /** The same for a command that has flags of its own, too. */
  static Invocation read(
      CommandLine.Rest args, Map<String, String> environment, ParallelClusterHost host)
      throws ConfigException {
    Flags flags = new Flags(DrainOptions.TABLE);
    Flags.Parsed parsed = flags.parse(args);
    if (parsed.help()) {
      return new Invocation.Print(flags.help(USAGE, DrainOptions.LISTEN_ADDRESS));
    }
    if (parsed.version()) {
      return new Invocation.Version();
    }
    OptionReader read =
        OptionReader.read(
            DrainOptions.TABLE, parsed.source(), environment, values -> check(values, host));
    if (parsed.check()) {
      return check(read, host);
    }
    ConfigException.throwAny(read.problems());
    return new Invocation.Run(of(read));
  }

  private static Invocation check(OptionReader read, ParallelClusterHost host) {
    List<String> problems = new ArrayList<>(read.problems());
    if (!read.complete()) {
      return new Invocation.Check("", problems, read.warnings());
    }
    Configuration configuration = of(read);
    problems.addAll(configuration.ofFiles());
    problems.addAll(NamedFiles.state(configuration.settings()));
    problems.addAll(NamedFiles.programs(configuration.settings()));
    List<String> warnings = configuration.allWarnings(host);
    warnings.addAll(InputWatch.of(configuration.settings()).problems());
    return new Invocation.Check(configuration.summary(), problems, warnings);
  }

  private static Configuration of(OptionReader read) {
    return new Configuration(
        new ResolvedOptions(DrainOptions.TABLE.options(), read.values(), PLAIN), read.warnings());
  }

  /** Those of its sources, and those of its values. */
  List<String> allWarnings(ParallelClusterHost host) {
    List<String> all = new ArrayList<>(warnings);
    for (Repair repair : REPAIRS) {
      if (settings().get(repair.mode()) == Mode.ACT
          && settings().get(repair.driver()).kind() == RepairDriver.Kind.NONE) {
        without(repair, host).ifPresent(all::add);
      }
      late(repair).ifPresent(all::add);
    }
    return all;
  }

  /** A healthy node is returned all the same. */
  private Optional<String> late(Repair repair) {
    Duration timeout = settings().get(DrainOptions.REPAIR_TIMEOUT);
    Duration healthyFor = settings().get(DrainOptions.HEALTHY_FOR);
    Duration within = settings().get(repair.within());
    boolean fits =
        settings().get(repair.driver()).kind() != RepairDriver.Kind.EXEC
            || timeout.plus(healthyFor).compareTo(within) <= 0;
    return fits
        ? Optional.empty()
        : Optional.of(
            "repairs.timeout (%s) and policy.healthy-for (%s) are longer than %s (%s): the time of a"
                    .formatted(
                        TimeText.exact(timeout),
                        TimeText.exact(healthyFor),
                        repair.within().name(),
                        TimeText.exact(within))
                + " repair that helps late is over before the node is returned");
  }

  private Optional<String> without(Repair repair, ParallelClusterHost host) {
    boolean last = repair.mode().equals(DrainOptions.MODE_REPLACE);
    if (last && settings().parallelCluster(host).isPresent()) {
      return Optional.empty(); // Its own daemon replaces each drained node.
    }
    return Optional.of(
        repair.mode().name()
            + " is act without a driver ("
            + repair.driver().name()
            + "): a node that needs it "
            + (last ? "is handed over to a person" : "gets the next stronger repair at once"));
  }

  /**
   * Modes that may not act before a restart, since their drivers are other ones only then: without
   * its driver each repair is followed by a stronger one. On ParallelCluster the drain waits too,
   * if it is to act: a drained node is replaced there. So does a time of a repair that is shorter
   * than what its program gets until then.
   */
  Set<String> heldFor(Configuration next, ParallelClusterHost host) {
    Set<String> held = new HashSet<>(repairsHeldFor(next));
    if (held.contains(DrainOptions.MODE_REPLACE.name())
        && next.settings().get(DrainOptions.MODE_DRAIN) == Mode.ACT
        && (settings().parallelCluster(host).isPresent()
            || next.settings().parallelCluster(host).isPresent())) {
      held.add(DrainOptions.MODE_DRAIN.name());
    }
    for (Repair repair : REPAIRS) {
      if (settings().get(repair.driver()).kind() == RepairDriver.Kind.EXEC
          && settings()
                  .get(DrainOptions.REPAIR_TIMEOUT)
                  .compareTo(next.settings().get(repair.within()))
              > 0) {
        held.add(repair.within().name());
      }
    }
    return held;
  }

  private Set<String> repairsHeldFor(Configuration next) {
    return REPAIRS.stream()
        .filter(repair -> next.settings().get(repair.mode()) == Mode.ACT)
        .filter(
            repair -> !settings().get(repair.driver()).equals(next.settings().get(repair.driver())))
        .map(repair -> repair.mode().name())
        .collect(Collectors.toSet());
  }

  /** Values that do not fit together. */
  private static void check(OptionValues values, ParallelClusterHost host) {
    Set<String> never = values.get(DrainOptions.WAIT_NEVER);
    for (String rule : values.get(DrainOptions.WAIT_ALWAYS)) {
      if (never.contains(rule)) {
        values.problem(DrainOptions.WAIT_ALWAYS, rule + " is in wait.never, too");
      }
    }
    SchedulerKind scheduler = values.get(DrainOptions.SCHEDULER);
    boolean rest = values.get(DrainOptions.SLURM_REST).isPresent();
    boolean programs = scheduler == SchedulerKind.SLURM && !rest;
    if (rest && scheduler != SchedulerKind.SLURM) {
      values.problem(DrainOptions.SLURM_REST, "needs --scheduler=slurm");
    }
    if (values.get(DrainOptions.SLURM_TOKEN).isPresent() && !rest) {
      values.problem(DrainOptions.SLURM_TOKEN, "needs --slurm.rest");
    }
    for (var option : List.of(DrainOptions.RESET, DrainOptions.REBOOT, DrainOptions.REPLACE)) {
      RepairDriver.Kind kind = values.get(option).kind();
      switch (kind) {
        case SLURM, PARALLELCLUSTER -> {
          if (!programs) {
            values.problem(
                option,
                rest
                    ? "needs Slurm's programs, which --slurm.rest replaces"
                    : "needs --scheduler=slurm");
          }
        }
        case EC2 -> {
          if (values.get(DrainOptions.AWS_REGION).isEmpty()) {
            values.problem(option, "needs --aws.region");
          }
        }
        case HYPERPOD -> {
          if (!programs
              && (values.get(DrainOptions.AWS_REGION).isEmpty()
                  || values.get(DrainOptions.HYPERPOD_CLUSTER).isEmpty())) {
            values.problem(
                option, "needs --aws.region and --hyperpod.cluster without Slurm's programs");
          }
        }
        case NONE, EXEC -> {}
      }
    }
    if (!values.get(DrainOptions.RESET).kind().equals(RepairDriver.Kind.NONE)
        && values.get(DrainOptions.RESET).kind() != RepairDriver.Kind.EXEC) {
      values.problem(DrainOptions.RESET, "is not none or exec:/PATH");
    }
    if (values.get(DrainOptions.REBOOT).kind() == RepairDriver.Kind.PARALLELCLUSTER) {
      values.problem(DrainOptions.REBOOT, "is not one of none, slurm, hyperpod, ec2, exec:/PATH");
    }
    if (values.get(DrainOptions.AGENT_HTTP_CONFIG).isPresent()
        && values.get(DrainOptions.AGENT_LOGIN).isPresent()) {
      values.problem(
          DrainOptions.AGENT_LOGIN,
          "cannot be set with agent.http.config.file: write it there as basic_auth");
    }
    if (values.get(DrainOptions.SQS_QUEUE).isPresent()
        && values.get(DrainOptions.AWS_REGION).isEmpty()) {
      values.problem(DrainOptions.SQS_QUEUE, "needs --aws.region");
    }
    REPAIRS.forEach(repair -> timeout(values, repair));
    new DrainSettings(values)
        .parallelCluster(host)
        .ifPresent(seen -> parallelCluster(values, seen));
  }

  /**
   * The time of a repair would be over, and the next stronger one follow, when its program ends.
   */
  private static void timeout(OptionValues values, Repair repair) {
    Duration timeout = values.get(DrainOptions.REPAIR_TIMEOUT);
    Duration within = values.get(repair.within());
    if (values.get(repair.driver()).kind() == RepairDriver.Kind.EXEC
        && timeout.compareTo(within) > 0) {
      values.problem(
          DrainOptions.REPAIR_TIMEOUT,
          TimeText.exact(timeout)
              + " is longer than "
              + repair.within().name()
              + ", which is "
              + TimeText.exact(within));
    }
  }

  /** Its clustermgtd replaces nodes by itself: modes and drivers must not hide that. */
  private static void parallelCluster(OptionValues values, String seen) {
    if (values.get(DrainOptions.MODE_DRAIN) == Mode.ACT
        && values.get(DrainOptions.MODE_REPLACE) != Mode.ACT) {
      values.problem(
          DrainOptions.MODE_DRAIN,
          "act needs --mode.replace=act on ParallelCluster ("
              + seen
              + "): its clustermgtd terminates every drained node as soon as it is idle");
    }
    if (values.get(DrainOptions.REBOOT).kind() == RepairDriver.Kind.SLURM) {
      values.problem(
          DrainOptions.REBOOT,
          "slurm is not possible on ParallelCluster ("
              + seen
              + "): the node is down after the reboot, and clustermgtd replaces nodes that are down");
    }
  }

  DrainSettings settings() {
    return new DrainSettings(options.values());
  }

  /** The problems of the files that the settings name. */
  List<String> ofFiles() {
    List<String> problems = new ArrayList<>();
    for (Path file : settings().get(DrainOptions.WEB_CONFIG_FILE).stream().toList()) {
      try {
        WebSecurity.open(file).close();
      } catch (ConfigException wrong) {
        problems.addAll(wrong.problems());
      }
    }
    problems.addAll(NamedFiles.problems(settings()));
    return problems;
  }

  private String summary() {
    String given =
        options.effective().stream()
            .filter(one -> !one.place().isEmpty())
            .map(one -> "  %s = %s  (%s)%n".formatted(one.key(), one.text(), one.place()))
            .collect(Collectors.joining());
    return "the configuration is valid\n"
        + (given.isEmpty() ? "  nothing is set: every option has its default\n" : given);
  }
}
