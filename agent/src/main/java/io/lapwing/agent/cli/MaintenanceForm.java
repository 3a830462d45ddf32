package io.lapwing.agent.cli;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code lapwing maintenance}. */
public record MaintenanceForm() implements OperatorCommand.Form {

  static final String HELP =
      """
      usage: lapwing maintenance [--for=TIME [--note=TEXT] | --end] [--path.state=DIR]

      Starts, ends or shows the maintenance of this node. Meanwhile alerts of this node neither page nor call automation,
      if the shipped Alertmanager configuration is used. Findings and the verdict go on. A second start sets a new end.

      Flags:
        -h, --help                    Show this help.
            --for=TIME                Start maintenance for this time, such as 30m or 2h; at most 7d.
            --note=TEXT               Reason and author.
            --end                     End the maintenance now.
            --path.state=DIR          State directory of the agent, which must be writable for you.
            --web.listen-address=ADDRESS
                                      Address of the agent that is asked for the state. (default: its Unix
                                      socket, then :9754)
      """;

  @Override
  public String name() {
    return "maintenance";
  }

  @Override
  public String help() {
    return HELP;
  }

  @Override
  public CommandLine parse(List<String> args) throws ConfigException {
    return CommandLine.of(args, Set.of("--end"), Set.of("--for", "--note"));
  }

  @Override
  public Optional<OperatorRequest> request(
      CommandLine words, Settings settings, Instant now, List<String> problems) {
    if (words.has("--end")) {
      if (words.has("--for") || words.has("--note")) {
        problems.add("maintenance: --end takes no other flag");
      }
      return Optional.of(new OperatorRequest.EndMaintenance());
    }
    if (!words.has("--for")) {
      if (words.has("--note")) {
        problems.add("maintenance: --note needs --for");
      }
      return Optional.empty();
    }
    Instant until = OperatorCommand.until(words, now, OperatorRequest.MAX_MAINTENANCE, problems);
    return Optional.of(
        new OperatorRequest.StartMaintenance(until, words.value("--note").orElse("")));
  }

  @Override
  public List<String> state(CheckResult result) {
    return List.of(
        result
            .report()
            .operations()
            .maintenance()
            .map(active -> OperationsText.of(active, result.now()))
            .orElse("not in maintenance"));
  }
}
