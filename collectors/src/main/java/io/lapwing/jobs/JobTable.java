package io.lapwing.jobs;

import io.lapwing.collect.SampleSink;
import io.lapwing.jobs.SourceResult.Allocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of every GPU, merged from all sources. */
final class JobTable {

  private static final Comparator<Allocation> ORDER =
      Comparator.comparing((Allocation row) -> row.place().instance())
          .thenComparing(row -> row.owner().jobId())
          .thenComparing(row -> row.owner().namespace())
          .thenComparing(row -> row.owner().pod())
          .thenComparing(row -> row.owner().container())
          .thenComparing(row -> row.owner().user());

  private final Map<String, Rows> byUuid = new HashMap<>();

  /** The results have descending precedence. */
  JobTable(GpuTable gpus, Collection<SourceResult> results) {
    gpus.gpus().forEach(gpu -> byUuid.put(gpu.uuid(), new Rows()));
    for (SourceResult result : results) {
      if (result instanceof SourceResult.Known known) {
        known.allocations().forEach(this::add);
      }
    }
  }

  private void add(Allocation allocation) {
    Rows rows = byUuid.get(allocation.place().uuid());
    if (rows != null) {
      rows.add(allocation);
    }
  }

  /** The rows of one GPU in a stable order. */
  List<Allocation> of(String uuid, SampleSink sink) {
    Rows rows = byUuid.getOrDefault(uuid, new Rows());
    if (rows.isFull()) {
      sink.failed("jobs of " + uuid, "too_many");
    }
    return rows.rows().stream().sorted(ORDER).toList();
  }

  /** The owners of one GPU, merged from all sources: reports of the same owner become one row. */
  static final class Rows {

    /** Rows of a GPU: seven slices, or more shares of it than are used in practice. */
    static final int MAX_ROWS = 32;

    private final List<Allocation> rows = new ArrayList<>();
    private boolean full;

    /** Merges an allocation into each row that may be the same, or adds a row. */
    void add(Allocation allocation) {
      boolean joined = false;
      for (int i = 0; i < rows.size(); i++) {
        Allocation row = rows.get(i);
        if (row.place().mayEqual(allocation.place()) && row.owner().mayEqual(allocation.owner())) {
          rows.set(
              i,
              new Allocation(
                  row.place().moreSpecific(allocation.place()),
                  row.owner().with(allocation.owner()),
                  row.share() || allocation.share()));
          joined = true;
        }
      }
      if (!joined && rows.size() == MAX_ROWS) {
        full = true;
      } else if (!joined) {
        rows.add(allocation);
      }
    }

    List<Allocation> rows() {
      return rows.stream().distinct().toList();
    }

    boolean isFull() {
      return full;
    }
  }
}
