package io.lapwing.agent;

import io.lapwing.agent.metrics.SelfRegistry.Family;
import io.lapwing.agent.preset.Preset;
import io.lapwing.gpu.DcgmFields;
import io.lapwing.gpu.DcgmFields.DcgmField;
import io.lapwing.gpu.DcgmMetrics;
import io.lapwing.gpu.DcgmNames;
import io.lapwing.gpu.DcgmNames.Rename;
import io.lapwing.gpu.GpuMetrics;
import io.lapwing.gpu.HostEngineMetrics;
import io.lapwing.gpu.MigMetrics;
import io.lapwing.gpu.NameGeneration;
import io.lapwing.gpu.VgpuMetrics;
import io.lapwing.metric.Metric;
import io.lapwing.metric.MetricCatalogue;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** {@code docs/metrics.md}: what every family means. */
final class MetricsDocument {

  private static final String INTRODUCTION =
      """
      # Metrics

      Made from the catalogue in the code; a test fails if the two differ. `lapwing metrics` prints the same catalogue.

      **Names.** GPU families have the field names of DCGM, letter for letter, so that dashboards and alerts made for
      dcgm-exporter continue to work. All others are called `lapwing_<subject>_<quantity>_<unit>`, and counters end in
      `_total`. EFA port counters have the names of AWS's EFA exporter. The text format 0.0.4 types such counters `counter`; OpenMetrics allows no counter without `_total` and
      has them as `unknown`.

      **Units.** Families with DCGM's names have DCGM's units: MHz, MiB, W, mJ, percent, nanoseconds. Lapwing's own have
      base units: bytes, seconds, degrees Celsius, ratios from 0 to 1.

      **Labels.** Families with DCGM's names carry dcgm-exporter's labels
      `%s`, and what the table adds; with
      `--labels=lean` only `gpu` and `UUID`. `--gpu.hostname-label` spells the last one; `--gpu.names` has the
      [names, units and labels of another release](#names-of-dcgm-exporter-49) of dcgm-exporter.
      Lapwing's own GPU families carry `gpu` and `UUID`; join them with `lapwing_gpu_info` for the rest. Series of a MIG instance have `GPU_I_PROFILE` and `GPU_I_ID` behind `modelName`: [support.md](support.md#mig).

      **Absence.** A value that a device does not have has no series: there is no -1, no 0 for a missing value, no NaN. A read
      that fails has no series either and counts in `lapwing_collector_read_errors_total`. Values older than three of their
      periods and the deadline are no longer exposed, at once where the device hangs; `lapwing_gpu_up`, `lapwing_source_hung_seconds` and
      `lapwing_collector_...` then show the reason.

      **Presets.** The column *preset* is the smallest value of `--metrics` with which the family is exposed: `minimal` has what the
      shipped rules read, `standard` (the default) also what the shipped dashboards and runbooks read and what other exporters have by default,
      `full` everything. Three families have more series in `full`, as their rows say. `/metrics?preset=full` shows everything without a restart. `lapwing_metrics_preset` is the preset of a response.

      **`lapwing_simulated`** is 1 on a simulated node. No value of such a node is a measurement; exclude it from alerts and
      reports.
      """
          .formatted(String.join(", ", DcgmMetrics.LABELS));

  /** What a help text or a name says of the unit, in the order in which it is looked for. */
  private static final Map<String, String> UNITS = units();

  private final StringBuilder page = new StringBuilder();

  private MetricsDocument() {}

  /**
   * The page.
   *
   * @param own the families of the agent's process
   */
  static String markdown(List<Family> own) {
    MetricsDocument document = new MetricsDocument();
    document.page.append(INTRODUCTION);
    for (CollectorGroup group : CollectorGroup.values()) {
      document.group(group);
    }
    document.process(own);
    document.renamed();
    document.missing(DcgmFields.load());
    return document.page.toString();
  }

  private void group(CollectorGroup group) {
    switch (group) {
      case NODE -> section("Node", "", group);
      case GPU -> {
        section(
            "GPU, with DCGM's names",
            "Each also has the labels named above; those of NVSwitches, CPUs and IMEX have `Hostname` only.",
            MetricCatalogue.of(DcgmMetrics.class).metrics(),
            DcgmMetrics.LABELS);
        section(
            "GPU, Lapwing's own", "", MetricCatalogue.of(GpuMetrics.class).metrics(), List.of());
        section(
            "MIG instances",
            "Only of GPUs with MIG instances: [support.md](support.md#mig).",
            MetricCatalogue.of(MigMetrics.class).metrics(),
            List.of());
        section(
            "vGPU",
            "Only on a host that divides GPUs into vGPUs, and the first also in a virtual machine that has one: [support.md](support.md#vgpu).",
            MetricCatalogue.of(VgpuMetrics.class).metrics(),
            List.of());
        section(
            "DCGM",
            "Only with `--dcgm.engine`, but for `lapwing_gpu_activity_info`: [support.md](support.md#dcgm).",
            MetricCatalogue.of(HostEngineMetrics.class).metrics(),
            List.of());
      }
      case EFA ->
          section(
              "EFA, with the names of AWS's exporter, and Lapwing's own",
              "See [efa.md](efa.md).",
              group);
      case LUSTRE ->
          section(
              "Lustre client",
              "See [lustre.md](lustre.md). With `--lustre.targets=full`, operations and histograms carry `target` behind `fs`.",
              group);
      case LNET -> section("LNet", "", group);
      case HOST -> section("Host", "", group);
      case JOBS -> section("Jobs", "GPU-to-job attribution: [jobs.md](jobs.md).", group);
      case TRAINING ->
          section("Training", "Steps of training loops: [training.md](training.md).", group);
      case INFERENCE ->
          section(
              "Inference", "Only with `--inference.scrape`: [inference.md](inference.md).", group);
      case NCCL ->
          section(
              "NCCL",
              "Only with `--nccl.ras` or `--nccl.inspector-dir`: [nccl.md](nccl.md).",
              group);
      case DEEP_CHECK ->
          section(
              "Deep check",
              "Only after `lapwing check --deep`: [deep-check.md](deep-check.md).",
              group);
      case HEALTH -> section("Health", "", group);
      case AGENT -> section("Agent", "", group);
    }
  }

  private void section(String title, String about, CollectorGroup group) {
    Class<?>[] holders = group.metrics().toArray(Class[]::new);
    section(title, about, MetricCatalogue.of(holders).metrics(), List.of());
  }

  private void section(String title, String about, List<Metric> metrics, List<String> common) {
    title(title, about);
    header("| name | type | unit | labels | preset | meaning (source) |");
    for (Metric metric : metrics) {
      List<String> labels =
          metric.labels().stream().filter(label -> !common.contains(label)).toList();
      row(metric.name(), metric.type().text(), unit(metric), labels, metric.help());
    }
  }

  private void process(List<Family> own) {
    title(
        "Agent: process, JVM and web server",
        "Left out with `--web.disable-exporter-metrics`. Which garbage collectors and memory areas there are depends on"
            + " the JVM.");
    header("| name | type | unit | labels | preset | what it says |");
    for (Family family : own) {
      row(
          family.name(),
          family.type(),
          unit(family.name(), family.help()),
          family.labels(),
          family.help());
    }
  }

  private void renamed() {
    title(
        "Names of dcgm-exporter 4.9",
        """
        With `--gpu.names=4.9`, or `classic,4.9` for both: [migrating.md](migrating.md#names-of-another-release). A name is *confirmed* if it is
        in DCGM's headers or NVIDIA's Go binding for DCGM, or in the release notes of dcgm-exporter 4.9.0; *reported* if it is known from
        a third party's reading of NVIDIA's field reference only. The units of all are in the release notes. No page of a
        dcgm-exporter 4.9 was compared.\
        """);
    header("| classic name | name since 4.9 | new value | the name is |");
    for (Rename rename : DcgmNames.SHIPPED.all()) {
      page.append(
          line(
              "`" + rename.classic() + "`",
              "`" + rename.name() + "`",
              rename.isRead()
                  ? "in bytes, as NVML has it"
                  : rename.scale().map(scale -> converted(rename, scale)).orElse("the same"),
              rename.source().confirmed() ? "confirmed" : "reported"));
    }
    page.append(
        line(
            "label `" + NameGeneration.CLASSIC.driverLabel() + "`",
            "label `" + NameGeneration.V4_9.driverLabel() + "`",
            "the same",
            "confirmed"));
    page.append(
        line(
            "label `" + NameGeneration.CLASSIC.hostnameLabel() + "`",
            "label `" + NameGeneration.V4_9.hostnameLabel() + "`, since 4.8.3",
            "the same",
            "confirmed"));
  }

  private static String converted(Rename rename, DcgmNames.Scale scale) {
    boolean rounded = scale.divides() && !rename.name().endsWith("_RATIO");
    return "classic value " + scale + (rounded ? ", rounded to a whole number" : "");
  }

  private void missing(DcgmFields fields) {
    title(
        "Fields of DCGM that Lapwing does not have",
        "A line of `--gpu.fields` with one of these names, or with a field of DCGM that Lapwing does not know, is a warning in the log.");
    header("| field | why not |");
    ofAnswer(fields, DcgmField.Answer.NONE).stream()
        .collect(Collectors.groupingBy(DcgmField::whyNot, LinkedHashMap::new, Collectors.toList()))
        .forEach((why, names) -> page.append(line(names(names), why)));
    title("Fields of DCGM that are labels", "Rows of type `label` in `--gpu.fields` add them.");
    page.append('\n').append(names(ofAnswer(fields, DcgmField.Answer.LABEL))).append('\n');
  }

  private static List<DcgmField> ofAnswer(DcgmFields fields, DcgmField.Answer answer) {
    return fields.all().stream().filter(field -> field.answer() == answer).toList();
  }

  private static String names(List<DcgmField> fields) {
    return fields.stream().map(field -> "`" + field.name() + "`").collect(Collectors.joining(", "));
  }

  private void title(String title, String about) {
    page.append("\n## ").append(title).append('\n');
    if (!about.isEmpty()) {
      page.append('\n').append(about).append('\n');
    }
  }

  private void header(String header) {
    page.append('\n')
        .append(header)
        .append('\n')
        .append(header.replaceAll("[^|]+", "---"))
        .append('\n');
  }

  private void row(String name, String type, String unit, List<String> labels, String help) {
    page.append(
        line(
            "`" + name + "`", type, unit, String.join(", ", labels), Preset.of(name).text(), help));
  }

  private static String line(String... cells) {
    return Arrays.stream(cells)
        .map(cell -> cell.isEmpty() ? "|" : "| " + cell.replace("|", "\\|") + " ")
        .collect(Collectors.joining("", "", "|\n"));
  }

  private static String unit(Metric metric) {
    return unit(metric.name(), metric.help());
  }

  private static String unit(String name, String help) {
    String text = name + " " + help;
    return UNITS.entrySet().stream()
        .filter(entry -> text.contains(entry.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("");
  }

  private static Map<String, String> units() {
    Map<String, String> units = new LinkedHashMap<>();
    units.put("_bytes_per_second ", "bytes/s");
    units.put("Bytes per second ", "bytes/s");
    units.put("_seconds ", "s");
    units.put("_seconds_total ", "s");
    units.put("_bytes ", "bytes");
    units.put("_bytes_total ", "bytes");
    units.put("_celsius ", "°C");
    units.put("Nanoseconds ", "ns");
    units.put(" in MHz", "MHz");
    units.put(" in MiB", "MiB");
    units.put(" in mJ", "mJ");
    units.put(" in W", "W");
    units.put(" in Mibit", "Mibit");
    units.put(" in C", "°C");
    units.put("Degrees C ", "°C");
    units.put(" in percent", "percent");
    units.put(" Percent of", "percent");
    units.put(" Ratio of", "ratio");
    units.put("as a ratio", "ratio");
    units.put(", 0 to 1", "ratio");
    return units;
  }
}
