package io.lapwing.agent.check;

import io.lapwing.agent.config.CommandLine;
import io.lapwing.agent.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What {@code lapwing check} was asked for.
 *
 * @param url of the agent, where it is not the configured one
 * @param clientFile what opens the agent's door
 * @param agentFlags the flags that the agent runs with
 */
public record CheckRequest(
    Form form,
    Optional<AgentAddress> url,
    Optional<Path> clientFile,
    boolean help,
    List<String> agentFlags) {

  public static final String HELP =
      """
      usage: lapwing check [--brief | --json] [--url URL] [--http.config.file FILE] [agent flags]

      How this node is and what is to be done with it, as the agent on it judges. Where no agent runs, the command
      looks for itself, for a moment: what needs time to be seen is then not seen.

        --brief      one line, of at most 80 characters where possible
        --json       the JSON of /api/v1/health
        --url URL    the agent to ask, such as http://node7:9754; otherwise that of --web.listen-address
        --http.config.file FILE
                     tls_config (ca_file, cert_file, key_file) and basic_auth (username, password_file), as promtool
                     has them, for an agent with --web.config.file

      Exit codes:
        0   healthy
        1   degraded
        2   failing
        3   unknown: something cannot be seen that should be, the agent does not answer or gives nonsense, or its
            judgement is older than 60 s
        64  wrong use
      """;

  /** How it is to be said. */
  public enum Form {
    SCREEN,
    BRIEF,
    JSON
  }

  private static final Set<String> SWITCHES = Set.of("--brief", "--json", "--help", "-h");

  public CheckRequest {
    agentFlags = List.copyOf(agentFlags);
  }

  /** Reads the words behind {@code check}. */
  public static CheckRequest parse(List<String> args) throws ConfigException {
    CommandLine words = CommandLine.of(args, SWITCHES, Set.of("--url", "--http.config.file"));
    if (words.has("--brief") && words.has("--json")) {
      throw new ConfigException(List.of("flag --brief: given together with --json"));
    }
    Optional<String> url = words.value("--url");
    return new CheckRequest(
        words.has("--brief") ? Form.BRIEF : words.has("--json") ? Form.JSON : Form.SCREEN,
        url.isPresent() ? Optional.of(AgentAddress.parse(url.get())) : Optional.empty(),
        words.value("--http.config.file").map(Path::of),
        words.has("--help") || words.has("-h"),
        words.rest());
  }
}
