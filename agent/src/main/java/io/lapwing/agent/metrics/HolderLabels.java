package io.lapwing.agent.metrics;

import io.lapwing.common.log.Log;
import io.lapwing.jobs.JobsSource.JobBoard;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import io.lapwing.metric.SampleBuffer;
import io.lapwing.metric.Samples;
import io.lapwing.metric.Series;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Adds dcgm-exporter's labels of jobs or pods to DCGM series, one copy per holder of the GPU or MIG
 * instance. Applied at exposition, so that rules see each series once; cached until series or
 * holders change. Thread-safe.
 */
public final class HolderLabels implements UnaryOperator<List<Samples>> {

  private static final Log LOG = Log.of(HolderLabels.class);
  private static final String DCGM = "DCGM_";
  private static final String UUID = "UUID";
  private static final String INSTANCE = "GPU_I_ID";

  private final String kind;
  private final Supplier<Map<String, List<Labels>>> holders;
  private Map<String, List<Labels>> known = Map.of();
  private IdentityHashMap<List<Series>, Copies> copies = new IdentityHashMap<>();

  /**
   * @param kind of the holders, for the log
   * @param holders their labels by {@link JobBoard#place}, the same object until one changes
   */
  public HolderLabels(String kind, Supplier<Map<String, List<Labels>>> holders) {
    this.kind = kind;
    this.holders = holders;
  }

  @Override
  @SuppressWarnings("ReferenceEquality") // a new object signals a change
  public synchronized List<Samples> apply(List<Samples> page) {
    Map<String, List<Labels>> now = holders.get();
    boolean changed = now != known;
    IdentityHashMap<List<Series>, Copies> before = changed ? new IdentityHashMap<>() : copies;
    known = now;
    IdentityHashMap<List<Series>, Copies> used = new IdentityHashMap<>();
    List<Samples> labelled = new ArrayList<>(page.size());
    for (Samples samples : page) {
      Copies made = before.get(samples.series());
      if (made == null) {
        made = Copies.of(samples.series(), now);
      }
      used.put(samples.series(), made);
      labelled.add(made.of(samples));
    }
    copies = used;
    if (changed) {
      logChange();
    }
    return labelled;
  }

  private void logChange() {
    int added = copies.values().stream().mapToInt(Copies::added).sum();
    int carrying = copies.values().stream().mapToInt(Copies::carrying).sum();
    LOG.info(
        "labels of GPUs changed",
        "of",
        kind,
        "gpus",
        known.size(),
        "series",
        carrying,
        "added",
        added);
  }

  private record Copy(int index, Metric metric, Labels labels) {}

  private record Copies(List<Copy> copies, int carrying, int added, SampleBuffer buffer) {

    static Copies of(List<Series> series, Map<String, List<Labels>> holders) {
      List<Copy> copies = new ArrayList<>();
      int carrying = 0;
      for (int i = 0; i < series.size(); i++) {
        Series candidate = series.get(i);
        List<Labels> own = holders(candidate, holders);
        carrying += own.size();
        if (own.isEmpty()) {
          copies.add(new Copy(i, candidate.metric(), candidate.labels()));
        }
        for (Labels holder : own) {
          copies.add(new Copy(i, candidate.metric(), candidate.labels().with(holder)));
        }
      }
      int added = copies.size() - series.size();
      return new Copies(carrying == 0 ? List.of() : copies, carrying, added, new SampleBuffer());
    }

    private static List<Labels> holders(Series series, Map<String, List<Labels>> holders) {
      Labels labels = series.labels();
      int uuid = labels.names().indexOf(UUID);
      boolean ofGpu = uuid >= 0 && series.metric().name().startsWith(DCGM);
      if (!ofGpu) {
        return List.of();
      }
      String gpu = labels.values().get(uuid);
      List<Labels> whole = holders.getOrDefault(gpu, List.of());
      int instance = labels.names().indexOf(INSTANCE);
      List<Labels> own =
          instance < 0
              ? whole
              : holders.getOrDefault(JobBoard.place(gpu, labels.values().get(instance)), whole);
      return own.stream()
          .filter(holder -> Collections.disjoint(holder.names(), labels.names()))
          .toList();
    }

    Samples of(Samples samples) {
      if (carrying == 0) {
        return samples;
      }
      copies.forEach(copy -> buffer.add(copy.metric(), copy.labels(), samples.value(copy.index())));
      return buffer.take();
    }
  }
}
