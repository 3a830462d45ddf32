package io.lapwing.bench.acceptance;

import io.lapwing.bench.MetricsPage;
import io.lapwing.bench.ScratchFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * {@code tools/bench/gpu-acceptance}: exit code 0 if everything agrees, 1 if not, 2 for a wrong
 * flag.
 */
public final class Main {

  private Main() {}

  /** Runs the agent idle and loaded, prints the table. */
  public static void main(String[] arguments) throws Exception {
    AcceptanceOptions options;
    try {
      options = AcceptanceOptions.parse(List.of(arguments));
    } catch (IllegalArgumentException mistake) {
      System.err.println("gpu-acceptance: " + mistake.getMessage());
      System.exit(2);
      return;
    }
    ScratchFolder folder = ScratchFolder.create("lapwing-acceptance");
    try {
      List<Row> rows = run(options, folder.path());
      rows.forEach(row -> System.out.println(row.line()));
      if (!conclude(rows)) {
        say("the agent's log is in " + folder.path());
        System.exit(1);
      }
      folder.delete();
    } catch (IOException failure) {
      System.err.println(
          "gpu-acceptance: " + failure.getMessage() + " (files: " + folder.path() + ")");
      System.exit(1);
    }
  }

  private static List<Row> run(AcceptanceOptions options, Path folder)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    try (AgentUnderTest agent = AgentUnderTest.start(options.agentCommand(), folder)) {
      say("idle, " + options.phase().toSeconds() + " s");
      Phase idle = Phase.watch("idle", options.phase(), agent);
      rows.addAll(PhaseChecks.rows(idle, false));
      nameTheUnchecked(idle.page());
      if (!options.idleOnly()) {
        rows.addAll(loaded(options, agent, folder));
      }
      rows.add(lived(agent));
      rows.add(versionsAgreed(agent.scrape()));
    }
    return rows;
  }

  private static List<Row> loaded(AcceptanceOptions options, AgentUnderTest agent, Path folder)
      throws IOException, InterruptedException {
    Optional<GpuLoad> load = GpuLoad.start(folder);
    if (load.isEmpty()) {
      say("neither nvcc nor a python3 with torch works here: the loaded phase is left out");
      return List.of();
    }
    say("loaded, " + options.phase().toSeconds() + " s");
    try {
      return PhaseChecks.rows(Phase.watch("loaded", options.phase(), agent), true);
    } finally {
      load.get().close();
    }
  }

  /** A struct of the wrong size would corrupt memory and crash the agent. */
  private static Row lived(AgentUnderTest agent) {
    String ours = agent.isAlive() ? "alive" : "dead";
    return Row.of("end", -1, "the agent lived through all of it", ours, "", "", agent.isAlive());
  }

  /** The real library rejects a struct with an unknown size or version. */
  private static Row versionsAgreed(MetricsPage page) {
    double refused =
        page.named("lapwing_collector_read_errors_total")
            .filter(s -> s.labels().getOrDefault("reason", "").contains("version"))
            .mapToDouble(MetricsPage.Series::value)
            .sum();
    return Row.of(
        "end",
        -1,
        "structs that the library refused",
        Row.number(refused),
        "0",
        "exact",
        refused == 0);
  }

  private static void nameTheUnchecked(MetricsPage page) {
    Set<String> names = new TreeSet<>(page.dcgmNames());
    names.removeAll(Checks.all().stream().map(Check::metric).collect(Collectors.toSet()));
    say("on the page, and not in nvidia-smi's answer: " + String.join(" ", names));
  }

  private static boolean conclude(List<Row> rows) {
    long mismatches = rows.stream().filter(Row::isMismatch).count();
    long compared = rows.stream().filter(row -> row.verdict() != Row.Verdict.NO_REFERENCE).count();
    System.out.printf("%n%d compared, %d mismatches%n", compared, mismatches);
    return mismatches == 0;
  }

  private static void say(String progress) {
    System.err.println("gpu-acceptance: " + progress);
  }
}
