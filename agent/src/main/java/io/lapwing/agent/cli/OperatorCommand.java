package io.lapwing.agent.cli;

import io.lapwing.agent.CollectorGroup;
import io.lapwing.agent.cli.Check.CheckResult;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.SettingsReader;
import io.lapwing.agent.config.SettingsReader.Invocation;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.engine.EffectivePolicy;
import io.lapwing.agent.health.engine.HealthRules;
import io.lapwing.agent.health.engine.OperatorRequest;
import io.lapwing.agent.health.engine.OperatorRequests;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.common.config.DurationText;
import io.lapwing.xid.XidTable;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A command that requests an operation of the agent for a time. */
public record OperatorCommand(
    Form form,
    InstantSource clock,
    CheckCommand check,
    RequestSender sender,
    PrintStream out,
    PrintStream err) {

  private static final int FAILED = 1;
  private static final Duration PAUSE = Duration.ofMillis(500);

  /** One of the commands. */
  public interface Form {

    String name();

    String help();

    CommandLine parse(List<String> args) throws ConfigException;

    /** The request of the flags; adds every problem, and is empty if the state is to be shown. */
    Optional<OperatorRequest> request(
        CommandLine words, Settings settings, Instant now, List<String> problems)
        throws ConfigException;

    /** Whether the report of a running agent can show that a request is wrong. */
    default boolean dependsOnReport(OperatorRequest request) {
      return false;
    }

    /** Why the agent will not apply a request, by its report. */
    default Optional<String> objection(OperatorRequest request, HealthReport report) {
      return Optional.empty();
    }

    /** Whether a report shows that a request has taken effect, for {@code --wait}. */
    default boolean hasTakenEffect(OperatorRequest request, HealthReport report) {
      return true;
    }

    /** What follows a request. */
    default String requested(OperatorRequest request) {
      return "requested; the agent applies it within seconds";
    }

    /** The state in a line or more. */
    List<String> state(CheckResult result);
  }

  public int run(List<String> args) {
    if (args.contains("--help") || args.contains("-h")) {
      out.print(form.help());
      return 0;
    }
    return CommandErrors.of(err).run(form.name(), () -> request(args));
  }

  private int request(List<String> args) throws ConfigException, InterruptedException {
    CommandLine words = form.parse(args);
    Settings settings = settings(words.rest());
    List<String> problems = new ArrayList<>();
    Optional<OperatorRequest> request = form.request(words, settings, clock.instant(), problems);
    ConfigException.throwAny(problems);
    if (request.isEmpty()) {
      return show(settings, words.rest());
    }
    if (form.dependsOnReport(request.get())) {
      checkWithAgent(request.get(), settings, words.rest());
    }
    Optional<Duration> wait = wait(words);
    int code = ask(request.get(), settings.paths().state());
    return code == 0 && wait.isPresent()
        ? await(request.get(), wait.get(), settings, words.rest())
        : code;
  }

  private static Optional<Duration> wait(CommandLine words) throws ConfigException {
    Optional<String> text = words.value("--wait");
    Optional<Duration> time = text.flatMap(DurationText::read);
    if (text.isPresent() && time.isEmpty()) {
      throw new ConfigException(
          List.of("flag --wait: '" + text.get() + "' is not a duration such as 2m"));
    }
    return time;
  }

  /** Until the agent reports that the request has taken effect. */
  private int await(
      OperatorRequest request, Duration wait, Settings settings, CommandLine.Rest flags)
      throws ConfigException, InterruptedException {
    long start = System.nanoTime();
    CheckRequest asked = CheckRequest.parse(flags);
    CheckResult result = check.result(asked, settings);
    while (result.problem().isPresent()
        || new OperatorRequests(settings.paths().state()).isWaiting()
        || !form.hasTakenEffect(request, result.report())) {
      if (Duration.ofNanos(System.nanoTime() - start).compareTo(wait) >= 0) {
        String state = result.problem().orElse(String.join("; ", form.state(result)));
        err.println("lapwing: " + form.name() + ": not yet: " + state);
        return FAILED;
      }
      Thread.sleep(PAUSE.toMillis());
      result = check.result(asked, settings);
    }
    form.state(result).forEach(out::println);
    return 0;
  }

  /** The agent refuses it later, in its log only; without an agent nothing is refused here. */
  private void checkWithAgent(OperatorRequest request, Settings settings, CommandLine.Rest flags)
      throws ConfigException, InterruptedException {
    CheckResult result = check.result(CheckRequest.parse(flags), settings);
    if (result.problem().isEmpty()) {
      Optional<String> objection = form.objection(request, result.report());
      ConfigException.throwAny(objection.stream().toList());
    }
  }

  private Settings settings(CommandLine.Rest flags) throws ConfigException {
    Invocation invocation =
        SettingsReader.read(flags, check.environment(), CollectorGroup.collectors());
    if (invocation instanceof Invocation.Run run) {
      return run.settings();
    }
    throw new ConfigException(
        List.of("flags --version and --check-config: not valid for " + form.name()));
  }

  private int ask(OperatorRequest request, Path state) throws InterruptedException {
    int code =
        sender.send(form.name(), state, folder -> new OperatorRequests(folder).ask(request), err);
    if (code == 0) {
      out.println(form.requested(request));
    }
    return code;
  }

  private int show(Settings settings, CommandLine.Rest flags)
      throws ConfigException, InterruptedException {
    CheckResult result = check.result(CheckRequest.parse(flags), settings);
    if (result.problem().isPresent()) {
      err.println("lapwing: " + form.name() + ": " + result.problem().get());
      return FAILED;
    }
    if (new OperatorRequests(settings.paths().state()).isWaiting()) {
      out.println("a request waits; the agent applies it within seconds");
    }
    form.state(result).forEach(out::println);
    return 0;
  }

  /** Why this is no GPU of the node, by its report: an index or a UUID; empty if it is one. */
  static Optional<String> unknownGpu(String gpu, HealthReport report) {
    List<String> indexes = report.gpus().stream().map(one -> "" + one.index()).toList();
    return indexes.isEmpty()
            || indexes.contains(gpu)
            || report.gpus().stream().anyMatch(one -> one.uuid().equals(gpu))
        ? Optional.empty()
        : Optional.of(
            "flag --gpu: this node has no GPU '"
                + gpu
                + "'; its GPUs are "
                + String.join(", ", indexes));
  }

  static void checkRule(String rule, Settings settings, List<String> problems)
      throws ConfigException {
    EffectivePolicy policy =
        EffectivePolicy.load(settings.health(), XidTable.load(), HealthRules.specs());
    if (policy.policy().ofFindings(rule).isEmpty()) {
      problems.add(
          "flag --rule: there is no rule '" + rule + "'; lapwing policy show lists all of them");
    }
  }

  /** The end of a time given as {@code --for=2h}. */
  static Instant until(CommandLine words, Instant now, Duration limit, List<String> problems) {
    String text = words.value("--for").orElse("");
    Optional<Duration> time = DurationText.read(text);
    if (time.isEmpty()) {
      problems.add("flag --for: '" + text + "' is not a duration such as 10m");
    } else if (time.get().compareTo(limit) > 0) {
      long hours = limit.toHours();
      String most = hours % 24 == 0 ? hours / 24 + "d" : hours + "h";
      problems.add("flag --for: " + text + " is too long: at most " + most);
    }
    return now.plus(time.orElse(Duration.ZERO));
  }
}
