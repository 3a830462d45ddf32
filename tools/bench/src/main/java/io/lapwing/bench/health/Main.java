package io.lapwing.bench.health;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * {@code ./lapwing bench --health [verdict | storm | idle]}: the time from fault to verdict, the
 * cost of a storm of faults, and the cost of health evaluation on an idle node. The launcher passes
 * the agent's command line.
 */
public final class Main {

  private static final int STORM_LINES = 20_000;
  private static final int STORM_SECONDS = 60;

  private Main() {}

  /** Measures and prints. Exit code 1 if something did not run. */
  public static void main(String[] arguments) throws InterruptedException {
    List<String> words = List.of(arguments);
    int separator = words.indexOf("--");
    if (separator < 0 || separator == words.size() - 1) {
      System.err.println("bench: the agent's command is missing after --");
      System.exit(2);
      return;
    }
    List<String> agent = words.subList(separator + 1, words.size());
    List<String> what = words.subList(0, separator);
    try {
      for (String one : what.isEmpty() ? List.of("verdict", "storm", "idle") : what) {
        run(one, agent);
      }
    } catch (IllegalArgumentException mistake) {
      System.err.println("bench: " + mistake.getMessage());
      System.exit(2);
    } catch (IOException failure) {
      System.err.println("bench: " + failure.getMessage());
      System.exit(1);
    }
  }

  private static void run(String what, List<String> agent)
      throws IOException, InterruptedException {
    switch (what) {
      case "verdict" -> LineToVerdict.run(agent);
      case "storm" -> Storm.run(agent, STORM_LINES, STORM_SECONDS);
      case "idle" -> HealthThread.run(agent, Duration.ofMinutes(1));
      default ->
          throw new IllegalArgumentException(
              "unknown: " + what + " (there are verdict, storm and idle)");
    }
  }
}
