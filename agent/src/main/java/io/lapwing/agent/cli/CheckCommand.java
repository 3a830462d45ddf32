package io.lapwing.agent.cli;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.check.Access;
import io.lapwing.agent.check.AgentAddress;
import io.lapwing.agent.check.AgentClient;
import io.lapwing.agent.check.AnsiColor;
import io.lapwing.agent.check.Check;
import io.lapwing.agent.check.CheckReport;
import io.lapwing.agent.check.CheckRequest;
import io.lapwing.agent.check.CheckResult;
import io.lapwing.agent.check.ExitCode;
import io.lapwing.agent.config.ClientConfig;
import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.config.TlsConfig;
import io.lapwing.agent.config.WebConfig;
import io.lapwing.agent.health.HealthReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * {@code lapwing check}.
 *
 * @param ownLook looks at this machine for a moment, where no agent does
 */
public record CheckCommand(
    Map<String, String> environment,
    Function<Settings, HealthReport> ownLook,
    PrintStream out,
    PrintStream err) {

  /** Prints how the node is; the exit code says it too. */
  public int run(List<String> args) {
    try {
      CheckRequest request = CheckRequest.parse(args);
      if (request.help()) {
        out.print(CheckRequest.HELP);
        return ExitCode.HEALTHY;
      }
      return check(request, settings(request.agentFlags()));
    } catch (ConfigException wrong) {
      wrong.problems().forEach(problem -> err.println("lapwing: " + problem));
      return ExitCode.USAGE;
    } catch (RuntimeException bug) {
      err.println("lapwing: the check failed: " + bug);
      return ExitCode.UNKNOWN;
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return ExitCode.UNKNOWN;
    }
  }

  private Settings settings(List<String> flags) throws ConfigException {
    Invocation invocation = SettingsReader.read(flags, environment, CollectorGroup.collectors());
    if (invocation instanceof Invocation.Run run) {
      run.warnings().forEach(warning -> err.println("lapwing: " + warning));
      return run.settings();
    }
    throw new ConfigException(List.of("flag --version: check has no such flag"));
  }

  private int check(CheckRequest request, Settings settings)
      throws ConfigException, InterruptedException {
    Optional<TlsConfig> own = ownTls(settings);
    Optional<AgentAddress> address =
        request.url().or(() -> AgentAddress.of(settings.web().listenAddresses(), own.isPresent()));
    AgentClient client = AgentClient.QUICK.with(access(request, own));
    CheckResult result =
        new Check(client, () -> ownLook.apply(settings), InstantSource.system()).run(address);
    CheckReport report = CheckReport.of(result, request.form(), color());
    err.print(report.err());
    err.flush();
    out.writeBytes(report.out().getBytes(StandardCharsets.UTF_8));
    out.flush();
    return result.exitCode();
  }

  /** How the agent of this machine speaks, where the file it runs with is named here too. */
  private static Optional<TlsConfig> ownTls(Settings settings) throws ConfigException {
    Optional<Path> file = settings.web().configFile();
    return file.isEmpty() ? Optional.empty() : WebConfig.read(file.get()).tls();
  }

  private static Access access(CheckRequest request, Optional<TlsConfig> own)
      throws ConfigException {
    if (request.clientFile().isPresent()) {
      return Access.of(ClientConfig.read(request.clientFile().get()));
    }
    boolean asked = request.url().map(AgentAddress::thisMachine).orElse(true);
    return asked && own.isPresent() ? Access.toCertificate(own.get().certificate()) : Access.OPEN;
  }

  private AnsiColor color() {
    return new AnsiColor(terminal() && environment.getOrDefault("NO_COLOR", "").isEmpty());
  }

  /** Asks the kernel: since Java 22 System.console() exists without a terminal too. */
  private static boolean terminal() {
    try {
      String standardOutput = Files.readSymbolicLink(Path.of("/proc/self/fd/1")).toString();
      return standardOutput.startsWith("/dev/pts/") || standardOutput.startsWith("/dev/tty");
    } catch (IOException | UnsupportedOperationException e) {
      // Without /proc there is no way to know, and plain text is right everywhere.
      return false;
    }
  }
}
