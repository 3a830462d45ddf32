package io.lapwing.bench.acceptance;

import io.lapwing.bench.MetricsPage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * NVLinks, the fabric and the MIG instances of one GPU on the page, against {@code nvidia-smi}. A
 * host without one of them has a row for that.
 */
final class FabricChecks {

  private static final String NO_CLUSTER = "00000000-0000-0000-0000-000000000000";
  private static final double SPEED_SHARE = 0.01;
  private static final double KIBIBYTE = 1024;

  /** Counters of links are rounded down to KiB each. */
  private static final double ROUNDING = 20;

  /** The page may have a count of a minute ago. */
  private static final double OLDER = 3;

  private final Phase phase;
  private final SmiGpu gpu;
  private final String uuid;
  private final List<Row> rows = new ArrayList<>();

  private FabricChecks(Phase phase, SmiGpu gpu) {
    this.phase = phase;
    this.gpu = gpu;
    this.uuid = gpu.text("uuid").orElse("");
  }

  static List<Row> rows(Phase phase, SmiGpu gpu) {
    FabricChecks checks = new FabricChecks(phase, gpu);
    checks.links();
    checks.fabric();
    checks.instances();
    return checks.rows;
  }

  private void equal(String what, String ours, String theirs) {
    rows.add(Row.of(phase.name(), gpu.index(), what, ours, theirs, "exact", ours.equals(theirs)));
  }

  private void close(String what, Optional<Double> ours, List<Double> theirs, Closeness closeness) {
    boolean agrees = ours.isPresent() && closeness.agrees(ours.get(), theirs);
    rows.add(
        Row.of(
            phase.name(),
            gpu.index(),
            what,
            ours.map(Row::number).orElse("(absent)"),
            theirs.stream().map(Row::number).distinct().collect(Collectors.joining(" .. ")),
            closeness.describe(),
            agrees));
  }

  private void skipped(String what, String reason) {
    rows.add(Row.skipped(phase.name(), gpu.index(), what, "", reason));
  }

  private Optional<Double> value(String name) {
    return phase.page().of(name, uuid).map(MetricsPage.Series::value);
  }

  private void links() {
    Set<Integer> ours =
        phase
            .page()
            .named("lapwing_gpu_nvlink_up")
            .filter(link -> uuid.equals(link.labels().get("UUID")) && link.value() == 1)
            .map(link -> Integer.parseInt(link.labels().getOrDefault("link", "-1")))
            .collect(Collectors.toCollection(TreeSet::new));
    NvlinkOutput status = phase.nvlinks();
    if (!status.hasLinks(uuid) && ours.isEmpty()) {
      skipped("NVLink", status.reason(uuid));
      return;
    }
    equal("NVLinks that are up", numbers(ours), numbers(status.active(uuid)));
    if (!ours.isEmpty()) {
      equal(
          "lapwing_gpu_nvlinks_up",
          value("lapwing_gpu_nvlinks_up").map(Row::number).orElse("(absent)"),
          String.valueOf(status.active(uuid).size()));
    }
    Optional<Double> speed = status.speed(uuid);
    if (speed.isPresent()) {
      close(
          "lapwing_gpu_nvlink_speed_bytes_per_second",
          value("lapwing_gpu_nvlink_speed_bytes_per_second"),
          List.of(speed.get()),
          Closeness.within(0, SPEED_SHARE));
    } else {
      skipped("lapwing_gpu_nvlink_speed_bytes_per_second", "no link is active");
    }
    bytes("lapwing_gpu_nvlink_tx_bytes_total", "Tx");
    bytes("lapwing_gpu_nvlink_rx_bytes_total", "Rx");
    skipped("NVLink version", "nvidia-smi and the page do not show it");
  }

  /** {@code 0-3 5} for the links 0 to 3 and 5. */
  private static String numbers(Set<Integer> links) {
    List<String> runs = new ArrayList<>();
    int first = -2;
    int last = -2;
    for (int link : links) {
      if (link != last + 1) {
        run(runs, first, last);
        first = link;
      }
      last = link;
    }
    run(runs, first, last);
    return runs.isEmpty() ? "none" : String.join(" ", runs);
  }

  private static void run(List<String> runs, int first, int last) {
    if (first >= 0) {
      runs.add(first == last ? String.valueOf(first) : first + "-" + last);
    }
  }

  private void bytes(String metric, String direction) {
    List<Double> counts =
        phase.counters().stream()
            .flatMap(output -> output.kibibytes(uuid, direction).stream())
            .toList();
    if (counts.isEmpty()) {
      skipped(metric, "nvidia-smi nvlink -gt d shows no counter");
      return;
    }
    double growth = counts.get(counts.size() - 1) - counts.get(0);
    close(
        metric,
        value(metric).map(bytes -> bytes / KIBIBYTE),
        counts,
        Closeness.within(ROUNDING + OLDER * Math.max(0, growth)));
  }

  /** The state and its health are among the plain values. */
  private void fabric() {
    Optional<Map<String, String>> ours =
        phase.page().of("lapwing_gpu_fabric_info", uuid).map(MetricsPage.Series::labels);
    Optional<String> cluster =
        gpu.text("fabric/clusterUuid").or(() -> gpu.text("fabric/cluster_uuid"));
    if (cluster.filter(it -> !it.equals(NO_CLUSTER)).isEmpty() && ours.isEmpty()) {
      skipped(
          "fabric domain",
          cluster.isPresent()
              ? "the cluster UUID is all zeros: no multi-node domain"
              : gpu.text("fabric/state")
                  .map(state -> "nvidia-smi shows no cluster UUID; the state is " + state)
                  .orElse("no fabric"));
      return;
    }
    Map<String, String> labels = ours.orElse(Map.of());
    equal(
        "fabric cluster UUID",
        labels.getOrDefault("cluster_uuid", "(absent)"),
        cluster.orElse("(none)"));
    equal(
        "fabric clique",
        labels.getOrDefault("clique_id", "(absent)"),
        gpu.text("fabric/cliqueId").or(() -> gpu.text("fabric/clique_id")).orElse("(none)"));
  }

  private void instances() {
    List<SmiGpu> theirs = gpu.below("mig_devices", "mig_device");
    List<MetricsPage.Series> ours =
        phase
            .page()
            .named("lapwing_gpu_instance_info")
            .filter(series -> uuid.equals(series.labels().get("UUID")))
            .toList();
    if (theirs.isEmpty() && ours.isEmpty()) {
      skipped("MIG instances", "MIG mode is " + gpu.text("mig_mode/current_mig").orElse("absent"));
      return;
    }
    equal(
        "MIG devices",
        ours.stream()
            .map(series -> series.labels().get("GPU_I_ID") + "/" + series.labels().get("GPU_CI_ID"))
            .sorted()
            .collect(Collectors.joining(" ")),
        theirs.stream()
            .map(
                one ->
                    one.text("gpu_instance_id").orElse("")
                        + "/"
                        + one.text("compute_instance_id").orElse(""))
            .sorted()
            .collect(Collectors.joining(" ")));
    for (SmiGpu instance : theirs) {
      String id = instance.text("gpu_instance_id").orElse("");
      ofInstance(
          id,
          "lapwing_gpu_instance_memory_bytes",
          instance.number("fb_memory_usage/total").stream()
              .map(mib -> mib * 1048576)
              .boxed()
              .toList(),
          Closeness.within(1048576));
      ofInstance(
          id,
          "lapwing_gpu_instance_multiprocessors",
          instance.number("device_attributes/shared/multiprocessor_count").stream()
              .boxed()
              .toList(),
          Closeness.exact());
    }
  }

  private void ofInstance(String id, String metric, List<Double> theirs, Closeness closeness) {
    String what = metric + " of " + id;
    if (theirs.isEmpty()) {
      skipped(what, "nvidia-smi shows none");
      return;
    }
    close(
        what,
        phase
            .page()
            .named(metric)
            .filter(
                series ->
                    uuid.equals(series.labels().get("UUID"))
                        && id.equals(series.labels().get("GPU_I_ID")))
            .map(MetricsPage.Series::value)
            .findFirst(),
        theirs,
        closeness);
  }
}
