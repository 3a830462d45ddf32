package io.lapwing.stack.fleet;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** Writes the figures of fleets as Markdown tables. */
record FleetReport(List<FleetFigures> fleets) {

  /** Shorter times are dominated by the clock's resolution. */
  private static final double TOO_SHORT = 0.005;

  private static final int SLOWEST = 12;

  FleetReport {
    fleets = List.copyOf(fleets);
  }

  String text() {
    StringBuilder text = new StringBuilder();
    head(text, "fleet, in nodes");
    row(text, "series in the head", "%,.0f", FleetFigures::series);
    row(text, "samples a second", "%,.0f", FleetFigures::samplesPerSecond);
    row(text, "Prometheus: CPU, cores", "%.2f", FleetFigures::cpu);
    row(text, "Prometheus: resident, MiB", "%,.0f", FleetFigures::rssMib);
    row(text, "Prometheus: heap in use, MiB", "%,.0f", FleetFigures::heapMib);
    row(text, "slowest scrape, s", "%.3f", FleetFigures::scrapeSeconds);
    row(text, "targets down", "%.0f", FleetFigures::down);
    row(text, "alerts firing", "%.0f", FleetFigures::firing);
    row(text, "recorded series", "%,.0f", FleetFigures::recorded);
    row(text, "all groups together, s", "%.3f", FleetFigures::groupSeconds);
    row(text, "the player: CPU, cores", "%.2f", FleetFigures::playerCpu);
    row(text, "load average of the machine", "%.1f", FleetFigures::load);
    text.append('\n');
    groups(text);
    queries(text);
    errors(text);
    return text.toString();
  }

  private void head(StringBuilder text, String first) {
    text.append("| ").append(first).append(" |");
    fleets.forEach(fleet -> text.append(String.format(Locale.ROOT, " %,d |", fleet.nodes())));
    text.append(" exponent |\n|---|");
    fleets.forEach(fleet -> text.append("---|"));
    text.append("---|\n");
  }

  private void row(
      StringBuilder text, String name, String format, ToDoubleFunction<FleetFigures> figure) {
    text.append("| ").append(name).append(" |");
    Map<Integer, Double> byNodes = new TreeMap<>();
    for (FleetFigures fleet : fleets) {
      double value = figure.applyAsDouble(fleet);
      byNodes.put(fleet.nodes(), value);
      text.append(' ').append(String.format(Locale.ROOT, format, value)).append(" |");
    }
    double exponent = Growth.exponent(byNodes);
    text.append(Double.isNaN(exponent) ? " |" : String.format(Locale.ROOT, " %.2f |", exponent))
        .append('\n');
  }

  private void groups(StringBuilder text) {
    head(text, "one evaluation of the group, s");
    for (String group : namesOf(fleet -> fleet.groups().keySet().stream().toList())) {
      row(text, group, "%.3f", fleet -> fleet.groups().getOrDefault(group, 0.0));
    }
    text.append(
        String.format(
            Locale.ROOT, "\nAn exponent of times below %.0f ms is noise.\n\n", 1e3 * TOO_SHORT));
  }

  private void queries(StringBuilder text) {
    FleetFigures largest = fleets.get(fleets.size() - 1);
    if (largest.queries().isEmpty()) {
      return;
    }
    List<QueryTime> slowest =
        largest.queries().stream()
            .sorted(Comparator.comparingDouble(QueryTime::seconds).reversed())
            .toList();
    text.append(
        "Of %d dashboard queries at %,d nodes, the slowest:\n\n"
            .formatted(slowest.size(), largest.nodes()));
    text.append("| dashboard | panel | reads | s | KiB |\n|---|---|---|---|---|\n");
    slowest.stream()
        .limit(SLOWEST)
        .forEach(
            time ->
                text.append(
                    "| %s | %s | %s | %.3f | %d |\n"
                        .formatted(
                            time.query().dashboard(),
                            time.query().panel(),
                            time.query().onRecorded() ? "recorded series" : "the pages' series",
                            time.seconds(),
                            time.bytes() / 1024)));
    text.append(summary(slowest)).append('\n');
  }

  private static String summary(List<QueryTime> times) {
    List<QueryTime> recorded = times.stream().filter(time -> time.query().onRecorded()).toList();
    double worst = recorded.stream().mapToDouble(QueryTime::seconds).max().orElse(0);
    long slow = times.stream().filter(time -> time.seconds() >= 2).count();
    return "\nOn recorded series: %d, the slowest %.3f s. Of all, %d took 2 s or longer.\n"
        .formatted(recorded.size(), worst, slow);
  }

  private void errors(StringBuilder text) {
    for (String error : namesOf(FleetFigures::errors)) {
      text.append("RULE FAILED: ").append(error).append('\n');
    }
    for (QueryTime time : fleets.get(fleets.size() - 1).queries()) {
      if (!time.error().isEmpty()) {
        text.append(
            "QUERY FAILED: %s, %s: %s\n"
                .formatted(time.query().dashboard(), time.query().panel(), time.error()));
      }
    }
  }

  private TreeSet<String> namesOf(Function<FleetFigures, List<String>> names) {
    return fleets.stream()
        .flatMap(fleet -> names.apply(fleet).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
