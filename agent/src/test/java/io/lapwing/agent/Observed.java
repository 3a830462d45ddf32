package io.lapwing.agent;

import io.lapwing.agent.metrics.TextPage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What a page says of a fault, in the few lines that people look at, kept for the documents. */
record Observed(TextPage page) {

  private static final Path KEPT = Path.of("target", "faults");

  /** Those of the page that change when something hangs, is lost or cannot be read. */
  private static final List<String> SIGNS =
      List.of(
          "lapwing_source_hung_seconds",
          "lapwing_gpu_up",
          "lapwing_gpu_driver_up",
          "lapwing_gpu_xid_listening",
          "lapwing_kernel_log_readable",
          "lapwing_event_log_durable",
          "lapwing_gpu_driver_reloads_total");

  static Observed of(AgentProcess agent) {
    return new Observed(FaultyAgent.page(agent));
  }

  String verdict() {
    return page.samples("lapwing_node_verdict").stream()
        .filter(sample -> sample.value() == 1)
        .map(sample -> sample.label("verdict"))
        .findFirst()
        .orElse("");
  }

  /** The rules that have something to say. */
  TreeSet<String> rules() {
    return page.samples("lapwing_health_finding").stream()
        .map(sample -> sample.label("rule"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** How many GPUs a rule has found. */
  long gpusWith(String rule) {
    return page.samples("lapwing_health_finding").stream()
        .filter(sample -> sample.label("rule").equals(rule))
        .map(sample -> sample.label("gpu"))
        .distinct()
        .count();
  }

  /** The sources that hang. */
  TreeSet<String> hung() {
    return page.samples("lapwing_source_hung_seconds").stream()
        .map(sample -> sample.label("source"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  Optional<Double> value(String name, String... labels) {
    return page.value(name, labels);
  }

  double gpusUp() {
    return FaultyAgent.sum(page, "lapwing_gpu_up");
  }

  /** Writes it down under the name of a fault, and a moment of it. */
  Observed keep(String fault, String moment) throws IOException {
    Files.createDirectories(KEPT);
    String signs =
        SIGNS.stream()
            .flatMap(name -> page.samples(name).stream())
            .filter(sample -> !sample.name().equals("lapwing_gpu_up") || sample.value() == 0)
            .map(sample -> "  " + sample.name() + short_(sample) + " " + (long) sample.value())
            .collect(Collectors.joining("\n"));
    String findings =
        page.samples("lapwing_health_finding").stream()
            .map(
                sample ->
                    "  finding "
                        + sample.label("rule")
                        + " "
                        + sample.label("severity")
                        + " "
                        + sample.label("action"))
            .distinct()
            .collect(Collectors.joining("\n"));
    String text =
        Stream.of(
                "== " + moment + ": " + page.samples().count() + " samples, verdict " + verdict(),
                signs,
                findings)
            .filter(part -> !part.isEmpty())
            .collect(Collectors.joining("\n", "", "\n"));
    Files.writeString(
        KEPT.resolve(fault + ".txt"), text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    return this;
  }

  private static String short_(TextPage.Sample sample) {
    return Stream.of("source", "gpu")
        .filter(sample.labels()::containsKey)
        .map(label -> "{" + label + "=" + sample.label(label) + "}")
        .collect(Collectors.joining());
  }
}
