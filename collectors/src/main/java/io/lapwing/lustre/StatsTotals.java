package io.lapwing.lustre;

import io.lapwing.metric.Metric;
import java.util.Optional;
import java.util.Set;

/** Adds the counters of {@code stats} files to totals. */
final class StatsTotals {

  private static final String OPERATION = "operation";
  private static final String BYTES = "bytes";

  /** Counters of all requests together. */
  private static final Set<String> OVERALL = Set.of("req_waittime", "req_active");

  private StatsTotals() {}

  /** Operations of applications: {@code stats} of a mount. */
  static void ofMount(StatsFile stats, String contributor, Totals totals) {
    for (StatsFile.Counter counter : stats.counters().values()) {
      String name = counter.name();
      if (counter.unit().equals(BYTES)) {
        bytes(name)
            .filter(metric -> counter.sum().isPresent())
            .ifPresent(metric -> totals.note(metric, contributor, counter.sum().getAsDouble()));
        String operation = name.replaceFirst("_bytes$", "");
        if (!stats.counters().containsKey(operation)) {
          // Before 2.15 no other counter has reads and writes.
          totals.note(
              LustreMetrics.OPERATIONS,
              OPERATION,
              operation,
              1,
              contributor,
              counter.count(),
              false);
        }
      } else {
        totals.note(
            LustreMetrics.OPERATIONS, OPERATION, name, 1, contributor, counter.count(), false);
        if (counter.isTime() && counter.sum().isPresent()) {
          totals.note(
              LustreMetrics.OPERATION_SECONDS,
              OPERATION,
              name,
              counter.perBaseUnit(),
              contributor,
              counter.sum().getAsDouble(),
              false);
        }
      }
    }
  }

  private static Optional<Metric> bytes(String name) {
    return switch (name) {
      case "read_bytes" -> Optional.of(LustreMetrics.READ_BYTES);
      case "write_bytes" -> Optional.of(LustreMetrics.WRITE_BYTES);
      default -> Optional.empty();
    };
  }

  /** Total wait for a target: its {@code stats}. */
  static void waits(StatsFile stats, String contributor, Totals totals) {
    StatsFile.Counter waits = stats.counters().get("req_waittime");
    if (waits != null && waits.sum().isPresent()) {
      totals.note(
          LustreMetrics.RPC_WAIT,
          "",
          "",
          waits.perBaseUnit(),
          contributor,
          waits.sum().getAsDouble(),
          false);
      totals.note(LustreMetrics.RPCS, contributor, waits.count());
    }
  }

  /** Requests to a target by kind: its {@code stats}. */
  static void requests(StatsFile stats, String contributor, Totals totals, boolean late) {
    for (StatsFile.Counter counter : stats.counters().values()) {
      if (OVERALL.contains(counter.name()) || counter.sum().isEmpty()) {
        continue;
      }
      double sum = counter.sum().getAsDouble();
      if (counter.isTime()) {
        totals.note(
            LustreMetrics.RPC_OPERATIONS,
            OPERATION,
            counter.name(),
            1,
            contributor,
            counter.count(),
            late);
        totals.note(
            LustreMetrics.RPC_OPERATION_SECONDS,
            OPERATION,
            counter.name(),
            counter.perBaseUnit(),
            contributor,
            sum,
            late);
      } else if (counter.unit().equals(BYTES)) {
        String operation = counter.name().replaceFirst("_bytes$", "");
        totals.note(LustreMetrics.RPC_BYTES, OPERATION, operation, 1, contributor, sum, late);
      }
    }
  }
}
