package io.lapwing.agent.cli;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.text.TimeText;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code lapwing release}. */
public record ReleaseForm() implements OperatorCommand.Form {

  private static final String NOT_RELEASED = "the GPUs are not released";
  private static final String REOPENED =
      NOT_RELEASED + " any more; the verdict is unknown until all were read again";

  static final String HELP =
      """
      usage: lapwing release [--gpus --for=TIME | --end] [--wait=TIME] [--path.state=DIR]

      Makes the agent close all GPUs, so that one can be reset or the driver unloaded; takes them back; or shows the
      state. Meanwhile the verdict is unknown, unless something else is failing.

      Flags:
        -h, --help                    Show this help.
            --gpus                    Release the GPUs.
            --for=TIME                How long, such as 10m; at most 4h. Then the agent takes them back.
            --end                     Take them back now.
            --wait=TIME               Wait until they are released, or with --end are all read again, such as 2m; the
                                      exit code is 1 if that takes longer.
            --path.state=DIR          State directory of the agent, which must be writable for you.
            --web.listen-address=ADDRESS
                                      Address of the agent that is asked for the state. (default: its Unix
                                      socket, then :9754)
      """;

  @Override
  public String name() {
    return "release";
  }

  @Override
  public String help() {
    return HELP;
  }

  @Override
  public CommandLine parse(List<String> args) throws ConfigException {
    return CommandLine.of(args, Set.of("--gpus", "--end"), Set.of("--for", "--wait"));
  }

  @Override
  public Optional<OperatorRequest> request(
      CommandLine words, Settings settings, Instant now, List<String> problems) {
    boolean start = words.has("--gpus") || words.has("--for");
    if (words.has("--end")) {
      if (start) {
        problems.add("release: --end takes no other flag");
      }
      return Optional.of(new OperatorRequest.ReopenGpus());
    }
    if (!start) {
      if (words.has("--wait")) {
        problems.add("release: --wait needs --gpus or --end");
      }
      return Optional.empty();
    }
    if (!words.has("--gpus")) {
      problems.add("release: needs --gpus, which is all that can be released");
    }
    return Optional.of(
        new OperatorRequest.ReleaseGpus(
            OperatorCommand.until(words, now, OperatorRequest.MAX_RELEASE, problems)));
  }

  @Override
  public String requested(OperatorRequest request) {
    return request instanceof OperatorRequest.ReleaseGpus
        ? "requested; the agent closes the GPUs within seconds. lapwing release shows when they are"
            + " released: do not reset one before"
        : "requested; the agent opens the GPUs again within seconds";
  }

  /** A release of the same end, closed; or no release, and all GPUs were read again. */
  @Override
  public boolean hasTakenEffect(OperatorRequest request, HealthReport report) {
    Optional<Operations.Release> now = report.operations().released();
    return request instanceof OperatorRequest.ReleaseGpus asked
        ? now.isPresent() && now.get().closed() && now.get().until().equals(asked.until())
        : now.isEmpty() && finding(report).isEmpty();
  }

  /**
   * The finding also shows whether a part of the agent still has a GPU open; it stays for a while.
   */
  @Override
  public List<String> state(CheckResult result) {
    Optional<String> finding = finding(result.report());
    Optional<Operations.Release> now = result.report().operations().released();
    if (now.isEmpty()) {
      return List.of(finding.isEmpty() ? NOT_RELEASED : REOPENED);
    }
    return List.of(
        finding.orElseGet(
            () ->
                "the agent is closing the GPUs, until "
                    + TimeText.moment(now.get().until())
                    + "; they are not released yet"));
  }

  private static Optional<String> finding(HealthReport report) {
    return report.findings().stream()
        .filter(finding -> finding.rule().equals("gpus_released"))
        .findFirst()
        .map(finding -> finding.detection().what());
  }
}
