package io.lapwing.lustre;

import io.lapwing.metric.Metric;
import java.util.Optional;
import java.util.Set;

/** Puts the counters of {@code stats} files where they are summed up. */
final class StatsTotals {

  private static final String OPERATION = "operation";
  private static final String BYTES = "bytes";

  /** Counters of requests that are not requests of one kind. */
  private static final Set<String> OVERALL = Set.of("req_waittime", "req_active");

  private StatsTotals() {}

  /** What applications did: {@code stats} of a mount. */
  static void ofMount(StatsFile stats, String who, Totals totals) {
    for (StatsCounter counter : stats.counters().values()) {
      String name = counter.name();
      if (counter.unit().equals(BYTES)) {
        bytes(name)
            .filter(metric -> counter.sum().isPresent())
            .ifPresent(metric -> totals.note(metric, who, counter.sum().getAsDouble()));
        String operation = name.replaceFirst("_bytes$", "");
        if (!stats.counters().containsKey(operation)) {
          // Before 2.15 nothing else counts reads and writes.
          totals.note(
              LustreMetrics.OPERATIONS, OPERATION, operation, 1, who, counter.count(), false);
        }
      } else {
        totals.note(LustreMetrics.OPERATIONS, OPERATION, name, 1, who, counter.count(), false);
        if (counter.isTime() && counter.sum().isPresent()) {
          totals.note(
              LustreMetrics.OPERATION_SECONDS,
              OPERATION,
              name,
              counter.perBaseUnit(),
              who,
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

  /** How long a target took in all: its {@code stats}. */
  static void waits(StatsFile stats, String who, Totals totals) {
    StatsCounter waits = stats.counters().get("req_waittime");
    if (waits != null && waits.sum().isPresent()) {
      totals.note(
          LustreMetrics.RPC_WAIT,
          "",
          "",
          waits.perBaseUnit(),
          who,
          waits.sum().getAsDouble(),
          false);
      totals.note(LustreMetrics.RPCS, who, waits.count());
    }
  }

  /** What a target was asked for: its {@code stats}. */
  static void requests(StatsFile stats, String who, Totals totals, boolean late) {
    for (StatsCounter counter : stats.counters().values()) {
      if (OVERALL.contains(counter.name()) || counter.sum().isEmpty()) {
        continue;
      }
      double sum = counter.sum().getAsDouble();
      if (counter.isTime()) {
        totals.note(
            LustreMetrics.RPC_OPERATIONS, OPERATION, counter.name(), 1, who, counter.count(), late);
        totals.note(
            LustreMetrics.RPC_OPERATION_SECONDS,
            OPERATION,
            counter.name(),
            counter.perBaseUnit(),
            who,
            sum,
            late);
      } else if (counter.unit().equals(BYTES)) {
        String operation = counter.name().replaceFirst("_bytes$", "");
        totals.note(LustreMetrics.RPC_BYTES, OPERATION, operation, 1, who, sum, late);
      }
    }
  }
}
