package io.lapwing.agent.cli;

import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.health.Verdict;
import io.lapwing.agent.replay.ReplayJson;
import io.lapwing.agent.replay.ReplayOutput;
import io.lapwing.agent.replay.ReplayRequest;
import io.lapwing.agent.replay.ReplayText;
import io.lapwing.json.JsonWriter;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

public record ReplayCommand(Engine engine, PrintStream out, PrintStream err) {

  /** Evaluates a saved kernel log; returns the verdict at its end. */
  public interface Engine {
    Verdict replay(ReplayRequest request, ReplayOutput output) throws ConfigException, IOException;
  }

  private static final int FAILED = 1;
  private static final int WRONG_USE = 2;

  /** As of {@code lapwing check}. */
  private static final int UNKNOWN = 3;

  public int run(List<String> args) {
    if (ReplayRequest.wantsHelp(args)) {
      out.print(ReplayRequest.HELP);
      return 0;
    }
    try {
      ReplayRequest request = ReplayRequest.parse(args);
      ReplayOutput output =
          request.json() ? new ReplayJson(JsonWriter.lines(out)) : new ReplayText(out);
      return engine.replay(request, output) == Verdict.UNKNOWN ? UNKNOWN : 0;
    } catch (IOException e) {
      return fail(String.valueOf(e.getMessage()));
    } catch (ConfigException wrong) {
      wrong.problems().forEach(problem -> err.println("lapwing: " + problem));
      return WRONG_USE;
    }
  }

  private int fail(String why) {
    err.println("lapwing: replay: " + why);
    return FAILED;
  }
}
