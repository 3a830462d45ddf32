package io.lapwing.agent.cli;

import io.lapwing.agent.config.CommandLine;
import io.lapwing.agent.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The parsed flags of {@code lapwing check}; {@code url} overrides the configured address. */
record CheckRequest(
    Form form,
    Optional<AgentAddress> url,
    Optional<Path> clientFile,
    boolean help,
    List<String> agentFlags) {

  public static final String HELP =
      """
      usage: lapwing check [<flags>] [<flags of lapwing agent>]

      Shows the health verdict of this node and the recommended action. The running agent is queried: over its Unix
      socket, or else at its address if root or lapwing holds the port (or you, without a service). If no agent runs on
      this machine, a one-off local check is made; it misses conditions that take time to detect.

      Flags:
        -h, --help                    Show this help.
            --brief                   Print one line, of at most 80 characters if possible.
            --json                    Print the JSON of /api/v1/health.
            --url=URL                 Agent to query, such as http://node7:9754. (default: --web.unix-socket, then
                                      --web.listen-address)
            --http.config.file=FILE   Credentials for an agent with --web.config.file, in promtool's format: tls_config
                                      (ca_file, cert_file, key_file) and basic_auth (username, password_file).
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
    JSON
  }

  private static final Set<String> SWITCHES = Set.of("--brief", "--json", "--help", "-h");

  public CheckRequest {
    agentFlags = List.copyOf(agentFlags);
  }

  /** Whether the command line says which agent is meant. */
  boolean namesTheAgent() {
    return url.isPresent()
        || agentFlags.stream().anyMatch(flag -> flag.startsWith("--web.listen-address"));
  }

  public static CheckRequest parse(List<String> args) throws ConfigException {
    CommandLine line = CommandLine.of(args, SWITCHES, Set.of("--url", "--http.config.file"));
    if (line.has("--brief") && line.has("--json")) {
      throw new ConfigException(List.of("flag --brief: given together with --json"));
    }
    Optional<String> url = line.value("--url");
    return new CheckRequest(
        line.has("--brief") ? Form.BRIEF : line.has("--json") ? Form.JSON : Form.SCREEN,
        url.isPresent() ? Optional.of(AgentAddress.parse(url.get())) : Optional.empty(),
        line.value("--http.config.file").map(Path::of),
        line.has("--help") || line.has("-h"),
        line.rest());
  }
}
