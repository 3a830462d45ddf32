package io.lapwing.bench.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lapwing.bench.gpu.RecordMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The folder of a recording: {@code PHASE.state}, which the simulator plays, {@code PHASE.prom},
 * the families of GPUs on the agent's page of that time, and {@code ORIGIN.md}.
 */
final class HostRecording {

  private final AcceptanceOptions options;
  private final Path folder;
  private final Set<String> differences = new LinkedHashSet<>();
  private final Set<String> parts = new LinkedHashSet<>();
  private final Set<String> absent = new LinkedHashSet<>();
  private final List<String> phases = new ArrayList<>();

  private HostRecording(AcceptanceOptions options, Path folder) {
    this.options = options;
    this.folder = folder;
  }

  static HostRecording into(AcceptanceOptions options, Path folder) throws IOException {
    Files.createDirectories(folder);
    return new HostRecording(options, folder);
  }

  /** Records the GPUs now, and the page of this phase. */
  void add(Phase phase) throws IOException, InterruptedException {
    Process process =
        ChildJava.of(
                RecordMain.class.getName(),
                List.of(
                    options.agentFlag("nvml.library").orElse("libnvidia-ml.so.1"),
                    options.agentFlag("dcgm.engine").orElse(AcceptanceOptions.ENGINE),
                    options.agentFlag("dcgm.library").orElse(""),
                    options.procfs().toString(),
                    String.valueOf(options.keepIds()),
                    folder.resolve(phase.name() + ".state").toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    if (process.waitFor() != 0) {
      throw new IOException("nothing is recorded: " + String.join("; ", of(lines, "problem ")));
    }
    differences.addAll(of(lines, "differs "));
    parts.addAll(of(lines, "recorded "));
    absent.addAll(of(lines, "absent "));
    Files.writeString(
        folder.resolve(phase.name() + ".prom"), page(phase.text(), replacements(lines)));
    phases.add(phase.name());
  }

  /** What is not in the recording, each with its reason. */
  Set<String> absent() {
    return Collections.unmodifiableSet(absent);
  }

  private static List<String> of(List<String> lines, String kind) {
    return lines.stream()
        .filter(line -> line.startsWith(kind))
        .map(line -> line.substring(kind.length()))
        .toList();
  }

  private static Map<String, String> replacements(List<String> lines) {
    Map<String, String> found = new LinkedHashMap<>();
    for (String line : of(lines, "replaced ")) {
      int space = line.lastIndexOf(' ');
      found.put(line.substring(0, space), line.substring(space + 1));
    }
    return found;
  }

  private static final List<String> OF_GPUS =
      List.of("DCGM_", "lapwing_gpu_", "lapwing_dcgm_", "lapwing_imex_");

  private static final List<String> OF_USERS =
      List.of("lapwing_gpu_job_info", "lapwing_gpu_holder_", "lapwing_gpu_shared");

  /** Families of NVML and DCGM only: the others are of the host, its jobs and its users. */
  private String page(String text, Map<String, String> replacements) {
    String kept =
        text.lines()
            .filter(line -> OF_GPUS.stream().anyMatch(line::startsWith))
            .filter(line -> OF_USERS.stream().noneMatch(line::startsWith))
            .collect(Collectors.joining("\n", "", "\n"));
    for (Map.Entry<String, String> each : replacements.entrySet()) {
      kept = kept.replace("\"" + each.getKey() + "\"", "\"" + each.getValue() + "\"");
    }
    return options.keepIds()
        ? kept
        : kept.replaceAll("([Hh]ostname=|,engine=)\"[^\"]*\"", "$1\"recorded\"");
  }

  /** Says where the recording is from. */
  void describe(SmiGpu gpu, int gpus) throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("# Recording of real GPUs\n\n");
    text.append("| | |\n|---|---|\n");
    row(text, "GPUs", gpus + " x " + gpu.text("product_name").orElse("unknown"));
    row(text, "driver", gpu.driverVersion());
    row(text, "date", Instant.now().truncatedTo(ChronoUnit.SECONDS).toString());
    row(text, "command", "`" + command() + "`");
    row(text, "phases", String.join(", ", phases));
    row(text, "UUIDs, serial numbers", options.keepIds() ? "as they are" : "replaced");
    text.append(
        "\n`PHASE.state` has what NVML and DCGM answered, in the form of the simulator's state; play it with"
            + "\n`lapwing-simulator.jar --recording PHASE.state --out DIR`. `PHASE.prom` is the"
            + " agent's page a few seconds earlier.\n");
    list(text, "What is recorded beside NVML:", parts);
    list(text, "What is not recorded:", absent);
    list(text, "What the simulator answers differently:", differences);
    Files.writeString(folder.resolve("ORIGIN.md"), text.toString());
  }

  private static void list(StringBuilder text, String title, Set<String> items) {
    if (!items.isEmpty()) {
      text.append('\n').append(title).append("\n\n");
      items.forEach(item -> text.append("- ").append(item).append('\n'));
    }
  }

  private String command() {
    String agent =
        options.agentCommand().stream()
            .filter(word -> word.startsWith("--"))
            .filter(word -> !word.startsWith("--node.")) // names of the host
            .collect(Collectors.joining(" "));
    return "tools/bench/gpu-acceptance --record"
        + (options.idleOnly() ? " --idle-only" : "")
        + " --seconds="
        + options.phase().toSeconds()
        + " -- "
        + agent;
  }

  private static void row(StringBuilder text, String name, String value) {
    text.append("| ").append(name).append(" | ").append(value).append(" |\n");
  }
}
