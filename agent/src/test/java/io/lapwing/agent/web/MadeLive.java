package io.lapwing.agent.web;

import io.lapwing.agent.health.MadeReports;
import io.lapwing.agent.web.LiveSnapshot.LiveRow;
import io.lapwing.agent.web.LiveTables.LiveTable;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/** Made-up live values. */
public final class MadeLive {

  public static final Instant NOW = Instant.parse("2026-11-20T05:18:02Z");

  private static final Metric ANY = Metric.counter("lapwing_any_total", "Any.");

  /** A node without parts. */
  public static final LiveSnapshot EMPTY = live(Map.of(), List.of());

  private MadeLive() {}

  private static LiveSnapshot live(
      Map<String, List<LiveRow>> some, List<LiveSnapshot.Problem> troubles) {
    Map<String, List<LiveRow>> tables = new LinkedHashMap<>();
    LiveTables.ALL.forEach(
        table -> tables.put(table.name(), some.getOrDefault(table.name(), List.of())));
    return new LiveSnapshot(NOW, tables, troubles);
  }

  /** A node on which every name is this one and every number is 7. */
  public static LiveSnapshot named(String name) {
    Map<String, List<LiveRow>> tables = new LinkedHashMap<>();
    LiveTables.ALL.forEach(table -> tables.put(table.name(), List.of(row(table, name))));
    return live(
        tables,
        List.of(new LiveSnapshot.Problem(name, name, "hung", "in " + name, Duration.ofSeconds(7))));
  }

  /** Two ranks of job 4711 that are verified, and behind them on the page one that is not. */
  public static LiveSnapshot ranks() {
    return live(
        Map.of("training", List.of(rank("0", "0", 0), rank("0", "1", 1), rank("1", "2", 1))),
        List.of());
  }

  /**
   * Ranks of two jobs on instances of GPU 0, of which an XID is known, and one that is not
   * verified.
   */
  public static LiveSnapshot instances() {
    LiveRow first = rank("3", "0", 1);
    first.text("GPU_I_ID", "7");
    LiveRow second = rank("4712", "0", "0/8", 1);
    second.text("GPU_I_ID", "8");
    LiveRow gpu = gpu(0);
    gpu.add(
        new LiveTable.Column.By(ANY, "xids", "xid"),
        new Series(ANY, Labels.of("xid", "31")),
        1,
        NOW);
    return live(
        Map.of(
            "training", List.of(rank("9", "0", 0), first, second),
            "gpus", List.of(gpu),
            "gpu_instances", List.of(instance("8", "4712"), instance("7", "4711"))),
        List.of());
  }

  private static LiveRow instance(String id, String job) {
    LiveRow row = new LiveRow();
    row.text("gpu", "0");
    row.text("UUID", MadeReports.uuid(0));
    row.text("GPU_I_ID", id);
    row.text("GPU_I_PROFILE", "1g.10gb");
    row.text("job_id", job);
    number(row, "sm_active", 0.5);
    number(row, "memory_used_mebibytes", 2048);
    number(row, "memory_mebibytes", 9728);
    return row;
  }

  /** GPUs that answer, each with the power that is given for it, in watts. */
  public static LiveSnapshot powers(OptionalDouble... watts) {
    List<LiveRow> gpus = new ArrayList<>();
    for (OptionalDouble one : watts) {
      LiveRow gpu = gpu(gpus.size());
      one.ifPresent(value -> number(gpu, "watts", value));
      gpus.add(gpu);
    }
    return live(Map.of("gpus", gpus), List.of());
  }

  private static LiveRow gpu(int index) {
    LiveRow row = new LiveRow();
    row.text("gpu", Integer.toString(index));
    row.text("UUID", MadeReports.uuid(index));
    number(row, "up", 1);
    return row;
  }

  private static void number(LiveRow row, String name, double value) {
    row.add(
        new LiveTable.Column.Value(ANY, name), new Series(ANY, Labels.of("any", name)), value, NOW);
  }

  private static LiveRow rank(String rank, String gpu, double verified) {
    return rank("4711", rank, gpu, verified);
  }

  private static LiveRow rank(String job, String rank, String gpu, double verified) {
    LiveRow row = new LiveRow();
    row.text("job_id", job);
    row.text("rank", rank);
    row.text("gpu", gpu);
    row.text("phase", "training");
    Map<String, Double> numbers =
        Map.of(
            "verified",
            verified,
            "step",
            100.0,
            "usual_step_seconds",
            0.5,
            "steps",
            100.0,
            "step_seconds",
            50.0,
            "compute_seconds",
            40.0,
            "tokens_per_second",
            1000.0);
    Series series = new Series(ANY, Labels.of("any", rank));
    numbers.forEach(
        (name, value) -> row.add(new LiveTable.Column.Value(ANY, name), series, value, NOW));
    return row;
  }

  private static LiveRow row(LiveTable table, String name) {
    LiveRow row = new LiveRow();
    table.keys().forEach(key -> row.text(key, name));
    Series series = new Series(ANY, Labels.of("any", name));
    for (List<LiveTable.Column> columns : table.columns().values()) {
      for (LiveTable.Column column : columns) {
        if (column instanceof LiveTable.Column.Text) {
          row.text(column.name(), name);
        } else if (column instanceof LiveTable.Column.By) {
          row.add(new LiveTable.Column.By(ANY, column.name(), "any"), series, 7, NOW);
        } else {
          row.add(column, series, 7, NOW);
        }
      }
    }
    return row;
  }
}
