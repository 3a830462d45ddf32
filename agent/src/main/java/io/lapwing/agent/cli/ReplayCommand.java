package io.lapwing.agent.cli;

import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayJson;
import io.lapwing.agent.replay.ReplayOutput;
import io.lapwing.agent.replay.ReplayRequest;
import io.lapwing.agent.replay.ReplayText;
import io.lapwing.common.config.ConfigException;
import io.lapwing.json.JsonWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

public record ReplayCommand(Engine engine, PrintStream out, PrintStream err) {

  /** Evaluates a saved kernel log; returns the verdict at its end. */
  public interface Engine {
    Verdict replay(ReplayRequest request, ReplayOutput output) throws ConfigException, IOException;
  }

  /** As of {@code lapwing check}. */
  private static final int UNKNOWN = 3;

  public int run(List<String> args) {
    if (ReplayRequest.wantsHelp(args)) {
      out.print(ReplayRequest.HELP);
      return 0;
    }
    return CommandErrors.of(err).run("replay", () -> replay(ReplayRequest.parse(args)));
  }

  private int replay(ReplayRequest request) throws ConfigException, IOException {
    ReplayOutput output =
        request.json() ? new ReplayJson(JsonWriter.lines(out)) : new ReplayText(out);
    return engine.replay(request, output) == Verdict.UNKNOWN ? UNKNOWN : 0;
  }
}
