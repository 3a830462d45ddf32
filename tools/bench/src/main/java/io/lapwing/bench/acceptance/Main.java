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

  private static final String LOAD = "results of the load";

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
    Optional<HostRecording> recording = recording(options);
    try (AgentUnderTest agent = AgentUnderTest.start(options.agentCommand(), folder)) {
      say("idle, " + options.phase().toSeconds() + " s");
      Phase idle = Phase.watch("idle", options.phase(), agent);
      rows.addAll(PhaseChecks.rows(idle, Set.of()));
      rows.addAll(DcgmChecks.rows(idle, options.engine()));
      nameTheUnchecked(idle.page());
      record(recording, idle);
      if (!options.idleOnly()) {
        rows.addAll(loaded(options, NvidiaSmi.query(), agent, recording, folder));
      }
      if (recording.isPresent()) {
        recording.get().describe(idle.gpus().get(0), idle.gpus().size());
        say("recorded in " + options.record().orElseThrow());
        recording.get().absent().forEach(what -> say("not recorded: " + what));
      }
      rows.add(lived(agent));
      rows.add(versionsAgreed(agent.scrape()));
    }
    return rows;
  }

  private static Optional<HostRecording> recording(AcceptanceOptions options) throws IOException {
    return options.record().isPresent()
        ? Optional.of(HostRecording.into(options, options.record().get()))
        : Optional.empty();
  }

  private static void record(Optional<HostRecording> recording, Phase phase)
      throws IOException, InterruptedException {
    if (recording.isPresent()) {
      recording.get().add(phase);
    }
  }

  /** Why this GPU gets no load. CUDA does not show one that is divided by MIG as a whole. */
  private static Optional<String> notLoaded(SmiGpu gpu) {
    if (gpu.flag("mig_mode/current_mig", "Enabled").orElse(0) == 1) {
      return Optional.of("MIG is enabled");
    }
    return gpu.isBusy() ? Optional.of("a job computes on it") : Optional.empty();
  }

  private static List<Row> loaded(
      AcceptanceOptions options,
      List<SmiGpu> gpus,
      AgentUnderTest agent,
      Optional<HostRecording> recording,
      Path folder)
      throws IOException, InterruptedException {
    List<Row> rows = new ArrayList<>();
    List<SmiGpu> free = new ArrayList<>();
    for (SmiGpu gpu : gpus) {
      notLoaded(gpu)
          .ifPresentOrElse(
              why -> rows.add(Row.skipped("loaded", gpu.index(), LOAD, "", why)),
              () -> free.add(gpu));
    }
    if (free.isEmpty()) {
      return rows;
    }
    List<String> uuids = free.stream().flatMap(gpu -> gpu.text("uuid").stream()).toList();
    try (GpuLoad load = GpuLoad.start(options.cudaLibrary(), uuids, folder)) {
      say("loaded, " + options.phase().toSeconds() + " s");
      Phase phase = Phase.watch("loaded", options.phase(), agent);
      record(recording, phase);
      rows.addAll(PhaseChecks.rows(phase, Set.copyOf(uuids)));
      rows.addAll(DcgmChecks.rows(phase, options.engine()));
      String problem = load.problem().orElse("");
      for (SmiGpu gpu : free) {
        boolean right = problem.isEmpty() && load.right(gpu.text("uuid").orElse(""));
        String ours = right ? "right" : problem.isEmpty() ? "wrong" : problem;
        rows.add(Row.of("loaded", gpu.index(), LOAD, ours, "right", "exact", right));
      }
    }
    return rows;
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
    long skipped = rows.stream().filter(row -> row.verdict() == Row.Verdict.SKIPPED).count();
    System.out.printf(
        "%n%d compared, %d mismatches, %d skipped%n", rows.size() - skipped, mismatches, skipped);
    return mismatches == 0;
  }

  private static void say(String progress) {
    System.err.println("gpu-acceptance: " + progress);
  }
}
