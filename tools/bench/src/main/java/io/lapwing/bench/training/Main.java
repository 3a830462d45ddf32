package io.lapwing.bench.training;

import io.lapwing.bench.Encoding;
import io.lapwing.bench.ScrapeClient;
import io.lapwing.bench.ScratchFolder;
import io.lapwing.bench.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * What 64 ranks at 20 steps a second add to the CPU time of the agent: {@code [--quick] -- AGENT
 * COMMAND...}. Two agents run at the same time, one with the files of the ranks and one with an
 * empty folder; each is scraped every 15 seconds.
 */
public final class Main {

  private static final int RANKS = 64;
  private static final int STEPS_A_SECOND = 20;
  private static final int WARM_UP_SECONDS = 60;
  private static final int SECONDS = 120;
  private static final int QUICK_SECONDS = 30;
  private static final int SCRAPE_SECONDS = 15;
  private static final double BUDGET_PERCENT = 0.5;

  private Main() {}

  /** Measures and prints one line. Exit code 1 if something did not run. */
  public static void main(String[] arguments) throws InterruptedException, IOException {
    List<String> words = List.of(arguments);
    int separator = words.indexOf("--");
    if (separator < 0 || separator == words.size() - 1) {
      System.err.println("bench: the agent's command is missing after --");
      System.exit(2);
      return;
    }
    boolean quick = words.subList(0, separator).contains("--quick");
    ScratchFolder.use(
        "lapwing-bench-training",
        folder -> run(words.subList(separator + 1, words.size()), folder, quick));
  }

  private static void run(List<String> agent, Path folder, boolean quick)
      throws IOException, InterruptedException {
    Path full = Files.createDirectories(folder.resolve("steps"));
    Path empty = Files.createDirectories(folder.resolve("empty"));
    Process writers = writers(full);
    try (Server reading = program(agent, folder.resolve("reading"), full).start();
        Server idle = program(agent, folder.resolve("idle"), empty).start()) {
      pass(WARM_UP_SECONDS, reading, idle);
      long busyBefore = reading.account().cpuNanos();
      long idleBefore = idle.account().cpuNanos();
      int seconds = quick ? QUICK_SECONDS : SECONDS;
      long began = System.nanoTime();
      pass(seconds, reading, idle);
      double time = (double) (System.nanoTime() - began);
      double busy = 100 * (reading.account().cpuNanos() - busyBefore) / time;
      double rest = 100 * (idle.account().cpuNanos() - idleBefore) / time;
      System.out.printf(
          Locale.ROOT,
          "%d ranks at %d steps a second: %.2f %% of a core, %.2f %% without them: %.2f %% added (budget %.1f %%)%n",
          RANKS,
          STEPS_A_SECOND,
          busy,
          rest,
          busy - rest,
          BUDGET_PERCENT);
    } finally {
      writers.destroyForcibly().waitFor();
    }
  }

  private static void pass(int seconds, Server... servers)
      throws IOException, InterruptedException {
    for (int passed = 0; passed < seconds; passed += SCRAPE_SECONDS) {
      TimeUnit.SECONDS.sleep(SCRAPE_SECONDS);
      for (Server server : servers) {
        try (ScrapeClient client = server.connect(Encoding.GZIP)) {
          client.scrapeNanos();
        }
      }
    }
  }

  private static Process writers(Path folder) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            StepWriters.class.getName(),
            folder.toString(),
            Integer.toString(RANKS),
            Integer.toString(STEPS_A_SECOND))
        .inheritIO()
        .start();
  }

  private static Server.Program program(List<String> agent, Path folder, Path steps)
      throws IOException {
    Files.createDirectories(folder);
    List<String> command = new ArrayList<>(agent);
    command.removeIf(word -> word.startsWith("--path.state=") || word.startsWith("--training."));
    Stream.of(
            "--path.state=" + folder.resolve("state"),
            "--training.steps-dir=" + steps,
            "--collector.disable-defaults",
            "--collector.training")
        .forEach(command::add);
    return new Server.Program("Lapwing", command, "lapwing_training_ranks", folder.resolve("log"));
  }
}
