package io.lapwing.jobs;

import io.lapwing.collect.SampleSink;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The rows of every GPU, from what all sources say. */
final class JobTable {

  private static final Comparator<Claim> ORDER =
      Comparator.comparing((Claim row) -> row.place().instance())
          .thenComparing(row -> row.holder().jobId())
          .thenComparing(row -> row.holder().namespace())
          .thenComparing(row -> row.holder().pod())
          .thenComparing(row -> row.holder().container())
          .thenComparing(row -> row.holder().user());

  private final Map<String, JobRows> byUuid = new HashMap<>();

  /**
   * Joins answers.
   *
   * @param answers in the order in which they are believed
   */
  JobTable(GpuTable gpus, Collection<Answer> answers) {
    gpus.gpus().forEach(gpu -> byUuid.put(gpu.uuid(), new JobRows()));
    for (Answer answer : answers) {
      if (answer instanceof Answer.Told told) {
        told.claims().forEach(this::add);
      }
    }
  }

  private void add(Claim claim) {
    JobRows rows = byUuid.get(claim.place().uuid());
    if (rows != null) {
      rows.add(claim);
    }
  }

  /** The rows of one GPU, always in the same order. */
  List<Claim> of(String uuid, SampleSink sink) {
    JobRows rows = byUuid.getOrDefault(uuid, new JobRows());
    if (rows.isFull()) {
      sink.failed("jobs of " + uuid, "too_many");
    }
    return rows.rows().stream().sorted(ORDER).toList();
  }
}
