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
 * Adds dcgm-exporter's labels of jobs or pods to DCGM series. A series stays one: where several
 * hold the GPU or MIG instance, it has the labels that all of them have, and {@code shared="true"}.
 * Applied at exposition, so that rules see each series without them; cached until series or holders
 * change. Thread-safe.
 */
public final class HolderLabels implements UnaryOperator<List<Samples>> {

  private static final Log LOG = Log.of(HolderLabels.class);
  private static final String DCGM = "DCGM_";
  private static final String UUID = "UUID";
  private static final String INSTANCE = "GPU_I_ID";
  private static final Labels SHARED = Labels.of("shared", "true");

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
    int carrying = copies.values().stream().mapToInt(Copies::carrying).sum();
    LOG.info("labels of GPUs changed", "of", kind, "gpus", known.size(), "series", carrying);
  }

  private record Copy(Metric metric, Labels labels) {}

  private record Copies(List<Copy> copies, int carrying, SampleBuffer buffer) {

    static Copies of(List<Series> series, Map<String, List<Labels>> holders) {
      List<Copy> copies = new ArrayList<>();
      int carrying = 0;
      for (Series one : series) {
        Labels labels = labelled(one.labels(), holders(one, holders));
        carrying += labels.equals(one.labels()) ? 0 : 1;
        copies.add(new Copy(one.metric(), labels));
      }
      return new Copies(carrying == 0 ? List.of() : copies, carrying, new SampleBuffer());
    }

    /** A series that jobs share already says so where pods share it too. */
    private static Labels labelled(Labels own, List<Labels> holders) {
      Labels labels = own.with(shown(holders));
      return holders.size() > 1 && !own.names().contains(SHARED.names().get(0))
          ? labels.with(SHARED)
          : labels;
    }

    /** What is true of all holders: a value of the whole GPU is not that of each. */
    private static Labels shown(List<Labels> holders) {
      if (holders.size() < 2) {
        return holders.isEmpty() ? Labels.NONE : holders.get(0);
      }
      Labels common = Labels.NONE;
      Labels first = holders.get(0);
      for (int i = 0; i < first.names().size(); i++) {
        Labels one = Labels.of(first.names().get(i), first.values().get(i));
        if (holders.stream().allMatch(holder -> has(holder, one))) {
          common = common.with(one);
        }
      }
      return common;
    }

    private static boolean has(Labels holder, Labels one) {
      int at = holder.names().indexOf(one.names().get(0));
      return at >= 0 && holder.values().get(at).equals(one.values().get(0));
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
      for (int i = 0; i < copies.size(); i++) {
        buffer.add(copies.get(i).metric(), copies.get(i).labels(), samples.value(i));
      }
      return buffer.take();
    }
  }
}
