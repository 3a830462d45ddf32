package io.lapwing.agent.cli;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Finding;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.engine.ClearRequests;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** {@code lapwing clear}; {@code check} reads the GPUs and findings from the agent. */
public record ClearCommand(
    CheckCommand check, RequestSender sender, PrintStream out, PrintStream err) {

  private static final Pattern REPEATED = Pattern.compile("_repeated$");

  static final String HELP =
      """
      usage: lapwing clear (--rule=RULE | --gpu=INDEX|UUID | --all)... [--note=TEXT] [--path.state=DIR]

      Clears findings on this node after a repair. A fault that persists is found again; a finding from an event, such
      as an XID, is gone. The agent records the clearing and the note in its event log.

      Flags:
        -h, --help                    Show this help.
            --rule=RULE               Only findings of this rule, such as xid_79, as shown by lapwing check.
            --gpu=INDEX|UUID          Only findings of this GPU.
            --all                     All findings.
            --note=TEXT               Reason and author.
            --path.state=DIR          State directory of the agent, which must be writable for you.
            --web.listen-address=ADDRESS
                                      Address of the agent that is asked for its GPUs and findings. (default: its Unix
                                      socket, then :9754)
      """;

  public int run(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(HELP);
      return 0;
    }
    return CommandErrors.of(err).run("clear", () -> clear(args));
  }

  private int clear(List<String> args) throws ConfigException, InterruptedException {
    CommandLine words = CommandLine.of(args, Set.of("--all"), Set.of("--rule", "--gpu", "--note"));
    Settings settings = settings(words.rest());
    Optional<HealthReport> report = check(words, settings);
    int code = clear(words, settings.paths().state());
    if (code == 0 && report.isPresent() && isNothingOpen(words, report.get())) {
      out.println("no such finding is open: only what the agent remembers of it is cleared");
    }
    return code;
  }

  /** The report of the agent, if it answers. */
  private Optional<HealthReport> check(CommandLine words, Settings settings)
      throws ConfigException, InterruptedException {
    List<String> problems = new ArrayList<>();
    boolean some = words.has("--rule") || words.has("--gpu");
    if (some == words.has("--all")) {
      problems.add("clear: needs --rule, --gpu or both, or --all alone");
    }
    for (String flag : List.of("--rule", "--gpu")) {
      words
          .value(flag)
          .filter(String::isBlank)
          .ifPresent(blank -> problems.add("flag " + flag + ": needs a value"));
    }
    ConfigException.throwAny(problems);
    CheckResult result = check.result(CheckRequest.parse(words.rest()), settings);
    Optional<HealthReport> report =
        result.problem().isEmpty() ? Optional.of(result.report()) : Optional.empty();
    checkNames(words, settings, report, problems);
    ConfigException.throwAny(problems);
    return report;
  }

  /** Open and stored findings can be cleared by name, also those of a removed GPU. */
  private static void checkNames(
      CommandLine words, Settings settings, Optional<HealthReport> report, List<String> problems)
      throws ConfigException {
    Optional<String> rule = words.value("--rule");
    Optional<String> gpu = words.value("--gpu");
    List<Finding> open = report.map(HealthReport::findings).orElse(List.of());
    if (rule.isPresent() && open.stream().noneMatch(one -> one.rule().equals(rule.get()))) {
      OperatorCommand.checkRule(REPEATED.matcher(rule.get()).replaceFirst(""), settings, problems);
    }
    if (gpu.isPresent() && report.isPresent() && !isRemembered(gpu.get(), report.get())) {
      OperatorCommand.unknownGpu(gpu.get(), report.get()).ifPresent(problems::add);
    }
  }

  private static boolean isNothingOpen(CommandLine words, HealthReport report) {
    List<Event.OperatorCleared> clears =
        words.value("--gpu").map(gpu -> subjects(gpu, report)).orElse(List.of("")).stream()
            .map(
                subject ->
                    new Event.OperatorCleared(
                        report.at(), words.value("--rule").orElse(""), subject, ""))
            .toList();
    return report.findings().stream()
        .noneMatch(
            one ->
                clears.stream().anyMatch(clear -> clear.covers(one.rule(), one.subject().text())));
  }

  /** As findings name it: by the UUID, or by the PCI address while that is not known. */
  private static List<String> subjects(String gpu, HealthReport report) {
    return report.gpus().stream()
        .filter(one -> gpu.equals("" + one.index()) || gpu.equals(one.uuid()))
        .findFirst()
        .map(one -> List.of("gpu:" + one.uuid(), "gpu:" + one.pci()))
        .orElse(List.of("gpu:" + gpu));
  }

  /** By a finding or by the hardware history. */
  private static boolean isRemembered(String gpu, HealthReport report) {
    String subject = "gpu:" + gpu;
    return report.findings().stream().anyMatch(one -> one.subject().text().equals(subject))
        || report.hardware().stream().anyMatch(one -> one.subject().equals(subject));
  }

  private Settings settings(CommandLine.Rest flags) throws ConfigException {
    Invocation invocation =
        SettingsReader.read(flags, check.environment(), CollectorGroup.collectors());
    if (invocation instanceof Invocation.Run run) {
      return run.settings();
    }
    throw new ConfigException(List.of("flags --version and --check-config: not valid for clear"));
  }

  private int clear(CommandLine words, Path state) throws InterruptedException {
    String rule = words.value("--rule").orElse("");
    String gpu = words.value("--gpu").map(text -> "gpu:" + text).orElse("");
    String note = words.value("--note").orElse("");
    int code =
        sender.send(
            "clear",
            state,
            folder -> new ClearRequests(folder, InstantSource.system()).ask(rule, gpu, note),
            err);
    if (code == 0) {
      out.println("requested; the agent applies it within seconds");
    }
    return code;
  }
}
