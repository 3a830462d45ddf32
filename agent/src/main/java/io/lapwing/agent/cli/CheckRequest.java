package io.lapwing.agent.cli;

import io.lapwing.agent.actions.NodeCommands;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.node.Platform;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The parsed flags of {@code lapwing check}; {@code url} overrides the configured address. */
record CheckRequest(
    Form form,
    Optional<AgentAddress> url,
    Optional<Path> clientFile,
    boolean offline,
    boolean commands,
    Optional<Platform> platform,
    ColorChoice color,
    boolean help,
    CommandLine.Rest agentFlags) {

  public static final String HELP =
      """
      usage: lapwing check [<flags>] [<flags of lapwing agent>]

      Shows the health verdict of this node and the recommended action. The running agent is queried: over its Unix
      socket, or else at its address if root or lapwing holds the port (or you, without a service). If it does not
      respond, the node is unknown.

      Flags:
        -h, --help                    Show this help.
            --brief                   Print one line, of at most 80 characters if possible.
            --json                    Print the JSON of /api/v1/health.
            --commands                Print the commands to drain, reset, reboot, replace and give back this node too: those
                                      that its action needs, or all if it needs none.
            --platform=PLATFORM       With --commands: slurm, parallelcluster, pcs, hyperpod-slurm, hyperpod-eks,
                                      eks-node-group or karpenter. (default: as the agent finds it)
            --scheduler               Print what a scheduler should do with the node, on one line: drain REASON,
                                      resume REASON or keep REASON. A simulated node is kept.
            --scheduler-trial         The same for trials: a simulated node is drained too.
            --url=URL                 Agent to query, such as http://node7:9754 or unix:/PATH. (default:
                                      --web.unix-socket, then --web.listen-address)
            --http.config.file=FILE   Credentials for an agent with --web.config.file, in promtool's format: tls_config
                                      (ca_file, cert_file, key_file) and basic_auth (username, password_file).
            --color=WHEN              Use colors: auto (on a terminal, unless NO_COLOR is set), always or never.
                                      (default: auto)
            --offline                 Check this machine once without an agent. Conditions that take time to detect are
                                      missed.
            --deep                    Test the GPUs instead, on a node without a job; check --deep --help.

      Exit codes:
        0   healthy
        1   degraded
        2   failing
        3   unknown: required data is missing, the agent does not respond or its response is unusable, another user
            holds its port, or its last evaluation is older than 60 s
        64  usage error
      """;

  public enum Form {
    SCREEN,
    BRIEF,
    JSON,
    SCHEDULER,
    SCHEDULER_TRIAL;

    private String flag() {
      return "--" + name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  /** The flags that other commands take, too. */
  private static final Set<String> AGENT = Set.of("--url", "--http.config.file");

  private static final List<Form> FORMS =
      Arrays.stream(Form.values()).filter(form -> form != Form.SCREEN).toList();
  private static final Set<String> SWITCHES =
      Stream.concat(
              FORMS.stream().map(Form::flag), Stream.of("--offline", "--commands", "--help", "-h"))
          .collect(Collectors.toUnmodifiableSet());

  /** Whether the command line names an agent. */
  boolean namesTheAgent() {
    return url.isPresent()
        || agentFlags.words().stream().anyMatch(flag -> flag.startsWith("--web.listen-address"));
  }

  /** Of another command: which agent is meant. */
  static CheckRequest parse(CommandLine.Rest flags) throws ConfigException {
    CheckRequest request = parse(flags.words());
    Set<String> known = new HashSet<>(flags.known());
    known.addAll(AGENT);
    return request.with(new CommandLine.Rest(request.agentFlags().words(), known));
  }

  private CheckRequest with(CommandLine.Rest other) {
    return new CheckRequest(form, url, clientFile, offline, commands, platform, color, help, other);
  }

  public static CheckRequest parse(List<String> args) throws ConfigException {
    CommandLine line =
        CommandLine.of(
            args, SWITCHES, Set.of("--url", "--http.config.file", "--platform", ColorChoice.FLAG));
    List<Form> forms = FORMS.stream().filter(form -> line.has(form.flag())).toList();
    if (forms.size() > 1) {
      throw new ConfigException(
          List.of("flag " + forms.get(0).flag() + ": given together with " + forms.get(1).flag()));
    }
    Optional<String> url = line.value("--url");
    if (line.has("--offline") && url.isPresent()) {
      throw new ConfigException(List.of("flag --offline: given together with --url"));
    }
    if (line.has("--offline") && (line.has("--scheduler") || line.has("--scheduler-trial"))) {
      throw new ConfigException(List.of("flag --offline: given together with --scheduler"));
    }
    if (line.has("--commands") && !forms.isEmpty()) {
      throw new ConfigException(
          List.of("flag --commands: given together with " + forms.get(0).flag()));
    }
    return new CheckRequest(
        forms.isEmpty() ? Form.SCREEN : forms.get(0),
        url.isPresent() ? Optional.of(AgentAddress.parse(url.get())) : Optional.empty(),
        line.value("--http.config.file").map(Path::of),
        line.has("--offline"),
        line.has("--commands"),
        platform(line),
        ColorChoice.of(line),
        line.has("--help") || line.has("-h"),
        line.rest());
  }

  private static Optional<Platform> platform(CommandLine line) throws ConfigException {
    Optional<String> id = line.value("--platform");
    if (id.isEmpty()) {
      return Optional.empty();
    }
    if (!line.has("--commands")) {
      throw new ConfigException(List.of("flag --platform: needs --commands"));
    }
    Optional<Platform> platform = Platform.of(id.get());
    if (platform.isEmpty()) {
      throw new ConfigException(
          List.of("flag --platform: '" + id.get() + "' is not one of " + NodeCommands.choices()));
    }
    return platform;
  }
}
