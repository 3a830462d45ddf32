package io.lapwing.drain.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lapwing.common.config.CommandLine;
import io.lapwing.common.config.ConfigException;
import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.cluster.NodeName;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The commands that query a running controller. */
record Cli(Map<String, String> environment, PrintStream out, PrintStream err) {
  static final Set<String> COMMANDS =
      Set.of("status", "explain", "history", "why", "request", "pause", "unpause");

  /** Commands that need an argument, and its description. */
  private static final Map<String, String> NAMED =
      Map.of(
          "explain", "the name of a node",
          "request", "the name of a node",
          "why", "the id of a job");

  private static final int REFUSED = 1;
  private static final Set<String> SWITCHES = Set.of("--json");
  private static final Set<String> VALUED =
      Set.of("--url", "--http.config.file", "--since", "--action", "--reason", "--urgency");
  private static final ObjectMapper JSON = new ObjectMapper();

  int run(String command, List<String> args) throws ConfigException, IOException {
    CommandLine line = CommandLine.of(args, SWITCHES, VALUED);
    List<String> rest = new ArrayList<>(line.rest().words());
    Optional<String> node = node(command, rest);
    ControllerClient client = client(line, new CommandLine.Rest(rest, line.rest().known()));
    return switch (command) {
      case "status" -> show(line, client.get("/api/v1/status"), StateText::status);
      case "explain" ->
          show(
              line,
              client.get("/api/v1/explain/" + encoded(nodeName(node.orElseThrow()))),
              StateText::explain);
      case "history" -> show(line, client.get(history(line)), StateText::history);
      case "why" -> said(client.get("/api/v1/why/" + encoded(node.orElseThrow())));
      case "request" -> said(client.post("/api/v1/requests", request(line, node.orElseThrow())));
      case "pause" ->
          said(
              client.post(
                  "/api/v1/pause",
                  JsonNodeFactory.instance.objectNode().put("reason", needed(line, "--reason"))));
      default -> said(client.post("/api/v1/unpause", JsonNodeFactory.instance.objectNode()));
    };
  }

  private static String nodeName(String text) throws ConfigException {
    try {
      return new NodeName(text).text();
    } catch (IllegalArgumentException wrong) {
      throw new ConfigException(List.of("explain: " + wrong.getMessage()));
    }
  }

  /** The first word, for the commands that need one. */
  private static Optional<String> node(String command, List<String> rest) throws ConfigException {
    if (!NAMED.containsKey(command)) {
      return Optional.empty();
    }
    if (rest.isEmpty() || rest.get(0).startsWith("-")) {
      throw new ConfigException(List.of(command + ": " + NAMED.get(command) + " is missing"));
    }
    return Optional.of(rest.remove(0));
  }

  private ControllerClient client(CommandLine line, CommandLine.Rest rest) throws ConfigException {
    Optional<String> url = line.value("--url");
    Optional<String> file = line.value("--http.config.file");
    if (url.isPresent()) {
      return ControllerClient.at(url.get(), file);
    }
    if (Configuration.read(rest, environment, ParallelClusterHost.NONE)
        instanceof Invocation.Run run) {
      return ControllerClient.over(
          run.configuration()
              .settings()
              .get(DrainOptions.UNIX_SOCKET)
              .orElseThrow(
                  () ->
                      new ConfigException(
                          List.of("the controller has no Unix socket: use --url"))));
    }
    throw new ConfigException(List.of("lapwing drain --help shows the flags"));
  }

  private static String history(CommandLine line) {
    return "/api/v1/history"
        + line.value("--since").map(time -> "?since=" + encoded(time)).orElse("");
  }

  private static ObjectNode request(CommandLine line, String node) throws ConfigException {
    ObjectNode request =
        JsonNodeFactory.instance
            .objectNode()
            .put("node", node)
            .put("action", needed(line, "--action"))
            .put("reason", needed(line, "--reason"));
    line.value("--urgency").ifPresent(urgency -> request.put("urgency", urgency));
    return request;
  }

  private static String needed(CommandLine line, String flag) throws ConfigException {
    return line.value(flag)
        .orElseThrow(() -> new ConfigException(List.of("flag " + flag + ": missing")));
  }

  private interface Text {
    String of(JsonNode document);
  }

  private int show(CommandLine line, ControllerClient.Answer answer, Text text) throws IOException {
    if (!answer.isGood() || line.has("--json")) {
      return said(answer);
    }
    out.print(text.of(JSON.readTree(answer.body())));
    return 0;
  }

  private int said(ControllerClient.Answer answer) {
    (answer.isGood() ? out : err).println(answer.body().stripTrailing());
    return answer.isGood() ? 0 : REFUSED;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
