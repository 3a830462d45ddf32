package io.lapwing.agent.cli;

import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.Operations;
import io.lapwing.agent.health.Severity;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.text.TimeText;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code lapwing test-finding}. */
public record TestFindingForm() implements OperatorCommand.Form {

  private static final String GPU = "gpu:";

  static final String HELP =
      """
      usage: lapwing test-finding [--rule=RULE --for=TIME [--gpu=INDEX|UUID] [--severity=WORD] | --end]

      Opens a finding that tries the alerts, ends all of them, or shows them. It is marked as a test in metrics, alerts,
      reports and the event log, and changes neither the verdict nor the action of the node. At most 8 at a time.

      Flags:
        -h, --help                    Show this help.
            --rule=RULE               Rule of the finding, such as xid_79 or gpu_lost.
            --gpu=INDEX|UUID          GPU of the finding; without it the finding is on the node.
            --severity=WORD           info, degraded, unknown or failing. (default: that of the policy)
            --for=TIME                How long, such as 5m; at most 1h.
            --end                     End all test findings now.
            --path.state=DIR          State directory of the agent, which must be writable for you.
            --web.listen-address=ADDRESS
                                      Address of the agent that is asked for the state. (default: its Unix
                                      socket, then :9754)
      """;

  @Override
  public String name() {
    return "test-finding";
  }

  @Override
  public String help() {
    return HELP;
  }

  @Override
  public CommandLine parse(List<String> args) throws ConfigException {
    return CommandLine.of(args, Set.of("--end"), Set.of("--rule", "--gpu", "--severity", "--for"));
  }

  @Override
  public Optional<OperatorRequest> request(
      CommandLine words, Settings settings, Instant now, List<String> problems)
      throws ConfigException {
    int others = words.flags().size() - (words.has("--end") ? 1 : 0);
    if (words.has("--end")) {
      if (others > 0) {
        problems.add("test-finding: --end takes no other flag");
      }
      return Optional.of(new OperatorRequest.EndTests());
    }
    if (words.flags().isEmpty()) {
      return Optional.empty();
    }
    String rule = words.value("--rule").orElse("");
    OperatorCommand.checkRule(rule, settings, problems);
    String severity = words.value("--severity").orElse("");
    if (words.has("--severity") && !severities().contains(severity)) {
      problems.add("flag --severity: '" + severity + "' is not one of " + severities());
    }
    Instant until = OperatorCommand.until(words, now, OperatorRequest.MAX_TEST, problems);
    String subject = words.value("--gpu").map(text -> GPU + text).orElse("");
    return Optional.of(new OperatorRequest.StartTest(until, rule, subject, severity));
  }

  @Override
  public boolean dependsOnReport(OperatorRequest request) {
    return request instanceof OperatorRequest.StartTest test && test.subject().startsWith(GPU);
  }

  @Override
  public Optional<String> objection(OperatorRequest request, HealthReport report) {
    return request instanceof OperatorRequest.StartTest test
        ? OperatorCommand.unknownGpu(test.subject().substring(GPU.length()), report)
        : Optional.empty();
  }

  private static List<String> severities() {
    return Arrays.stream(Severity.values()).map(Severity::text).collect(Collectors.toList());
  }

  @Override
  public List<String> state(CheckResult result) {
    List<Operations.Test> tests = result.report().operations().tests();
    return tests.isEmpty()
        ? List.of("no test findings")
        : tests.stream().map(test -> state(test, result)).toList();
  }

  private static String state(Operations.Test test, CheckResult result) {
    Finding finding = test.finding();
    return "TEST "
        + finding.rule()
        + " on "
        + result.report().name(finding.subject())
        + " until "
        + TimeText.moment(test.until());
  }
}
