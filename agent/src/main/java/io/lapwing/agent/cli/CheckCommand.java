package io.lapwing.agent.cli;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.Wiring;
import io.lapwing.agent.actions.NodeCommands;
import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.cli.Check.ExitCode;
import io.lapwing.agent.cli.CheckText.AnsiColor;
import io.lapwing.agent.config.Configuration;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.sources.PollClock;
import io.lapwing.common.config.ClientConfig;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.TlsConfig;
import io.lapwing.common.config.WebConfig;
import io.lapwing.common.log.LogLevel;
import io.lapwing.common.log.LogSettings;
import io.lapwing.common.log.Logging;
import io.lapwing.common.web.security.ClientAccess;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** {@code lapwing check}; {@code localCheck} evaluates this machine once, for {@code --offline}. */
public record CheckCommand(
    Map<String, String> environment,
    Function<Settings, HealthReport> localCheck,
    PrintStream out,
    PrintStream err) {

  /** Names the service's file, see the package's {@code lapwing}. */
  private static final String CONFIG_FILE = "LAPWING_CONFIG_FILE";

  /** Prints the result; the exit code is the verdict. */
  public int run(List<String> args) {
    try {
      return new CommandErrors(err, ExitCode.USAGE, ExitCode.UNKNOWN)
          .run("check", () -> check(CheckRequest.parse(args)));
    } catch (RuntimeException | Error bug) {
      err.println("lapwing: the check failed: " + bug);
      return ExitCode.UNKNOWN;
    }
  }

  private int check(CheckRequest request) throws ConfigException, InterruptedException {
    if (request.help()) {
      out.print(CheckRequest.HELP);
      return ExitCode.HEALTHY;
    }
    try {
      return check(request, settings(request.agentFlags()));
    } catch (ConfigException wrong) {
      return checkWithoutFile(request, wrong);
    }
  }

  /** The agent runs on with the file of before, and has to be asked for its verdict. */
  private int checkWithoutFile(CheckRequest request, ConfigException wrong)
      throws ConfigException, InterruptedException {
    Map<String, String> without = new HashMap<>(environment);
    if (without.remove(CONFIG_FILE) == null) {
      throw wrong;
    }
    CheckCommand other = new CheckCommand(without, localCheck, out, err);
    Settings defaults = other.settings(request.agentFlags());
    wrong.problems().forEach(problem -> err.println("lapwing: warning: " + problem));
    return other.check(request, defaults);
  }

  private Settings settings(CommandLine.Rest flags) throws ConfigException {
    return resolved(flags).settings();
  }

  private Configuration resolved(CommandLine.Rest flags) throws ConfigException {
    Invocation invocation = SettingsReader.read(flags, environment, CollectorGroup.collectors());
    if (invocation instanceof Invocation.Run run) {
      run.warnings().forEach(warning -> err.println("lapwing: " + warning));
      return run.configuration();
    }
    throw new ConfigException(List.of("flags --version and --check-config: not valid for check"));
  }

  private int check(CheckRequest request, Settings settings)
      throws ConfigException, InterruptedException {
    CheckResult result = result(request, settings);
    CheckReport report =
        CheckReport.of(result, request.form(), new AnsiColor(request.color().on(environment)));
    err.print(report.err());
    err.flush();
    out.writeBytes((report.out() + commands(request, result)).getBytes(StandardCharsets.UTF_8));
    out.flush();
    return result.exitCode();
  }

  private static String commands(CheckRequest request, CheckResult result) {
    return request.commands()
        ? CommandsText.of(
            NodeCommands.of(result.report(), request.platform()), result.report().simulated())
        : "";
  }

  /** The report of the agent, or offline of this machine. */
  CheckResult result(CheckRequest request, Settings settings)
      throws ConfigException, InterruptedException {
    AgentPages agent = pages(request, settings);
    Check check = new Check(agent.client(), agent.owner(), InstantSource.system());
    if (request.offline()) {
      return check.offline(() -> localCheck.apply(settings));
    }
    return agent.socket().isPresent()
        ? check.run(agent.socket().get(), agent.address())
        : check.run(agent.address());
  }

  /** The agent that these flags of {@code check} name, for its other pages. */
  public AgentPages pages(CommandLine.Rest flags) throws ConfigException {
    CheckRequest request = CheckRequest.parse(flags);
    if (request.form() != CheckRequest.Form.SCREEN || request.offline() || request.commands()) {
      throw new ConfigException(
          List.of("flags --brief, --json, --scheduler, --offline and --commands: only for check"));
    }
    return pages(request, settings(request.agentFlags()));
  }

  /** Whether these flags of {@code check} have a {@code --url}, which is then the only address. */
  public static boolean hasUrl(CommandLine.Rest flags) throws ConfigException {
    return CheckRequest.parse(flags).url().isPresent();
  }

  /** The state directory of the agent that these flags name. */
  Path stateFolder(CommandLine.Rest flags) throws ConfigException {
    return settings(CheckRequest.parse(flags).agentFlags()).paths().state();
  }

  /** The configuration by these flags of {@code check}, the environment and the file. */
  public Configuration configuration(CommandLine.Rest flags) throws ConfigException {
    return resolved(CheckRequest.parse(flags).agentFlags());
  }

  /** The exit code of this verdict. */
  public static int exitCode(Verdict verdict) {
    return ExitCode.of(verdict);
  }

  private static AgentPages pages(CheckRequest request, Settings settings) throws ConfigException {
    Optional<TlsConfig> own = ownTls(settings);
    Optional<AgentAddress> address =
        request.url().or(() -> AgentAddress.of(settings.web().listenAddresses(), own.isPresent()));
    return new AgentPages(
        AgentClient.QUICK.with(access(request, own)),
        ServerOwner.ofThisMachine(request.namesTheAgent()),
        socket(request, settings),
        address);
  }

  private static Optional<AgentAddress> socket(CheckRequest request, Settings settings) {
    return request.namesTheAgent()
        ? Optional.empty()
        : settings.web().unixSocket().map(AgentAddress::of);
  }

  /**
   * The TLS configuration of the local agent, if its web configuration is given here too; empty if
   * this user may not read it, as most members of the agent's group: over the Unix socket it is not
   * needed.
   */
  private static Optional<TlsConfig> ownTls(Settings settings) throws ConfigException {
    Optional<Path> file = settings.web().configFile();
    Optional<TlsConfig> tls =
        file.isEmpty() || isDenied(file.get())
            ? Optional.empty()
            : WebConfig.read(file.get()).tls();
    return tls.filter(
        known -> known.certificate().file().stream().noneMatch(CheckCommand::isDenied));
  }

  /** Exists, as far as this user can see, and is not readable. */
  private static boolean isDenied(Path file) {
    return !Files.notExists(file) && !Files.isReadable(file);
  }

  private static ClientAccess access(CheckRequest request, Optional<TlsConfig> own)
      throws ConfigException {
    if (request.clientFile().isPresent()) {
      return ClientAccess.of(ClientConfig.read(request.clientFile().get()));
    }
    boolean local = request.url().map(AgentAddress::thisMachine).orElse(true);
    return local && own.isPresent()
        ? ClientAccess.toCertificate(own.get().certificate())
        : ClientAccess.OPEN;
  }

  /** Polls once without an agent; reads the state of an earlier agent and does not write it. */
  public static HealthReport evaluateOnce(Settings settings) {
    Logging.start(new LogSettings(LogLevel.ERROR, settings.log().format()));
    try (Wiring wiring = new Wiring(settings.justOnce(), PollClock.SYSTEM)) {
      wiring.startAndAwaitEvaluation();
      return wiring.health().report();
    } catch (ConfigException wrong) {
      return notEvaluated(String.join("; ", wrong.problems()));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return notEvaluated("the check was interrupted");
    }
  }

  private static HealthReport notEvaluated(String why) {
    return HealthReport.notEvaluated(Instant.now(), why, "", false);
  }
}
