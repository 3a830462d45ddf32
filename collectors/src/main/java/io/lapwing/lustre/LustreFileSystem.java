package io.lapwing.lustre;

import io.lapwing.metric.Labels;
import java.util.List;

/** What the sources of one mounted file system have in common. Thread-safe. */
final class LustreFileSystem {

  private final String name;
  private final Labels labels;
  private final Totals totals;
  private final HistogramTotals histograms;
  private volatile List<LustreName> mounts = List.of();
  private volatile List<LustreName> targets = List.of();

  LustreFileSystem(String name) {
    this.name = name;
    this.labels = Labels.of("fs", name);
    this.totals = new Totals(labels);
    this.histograms = new HistogramTotals(labels);
  }

  String name() {
    return name;
  }

  /** Those of its own series. */
  Labels labels() {
    return labels;
  }

  /** Of all its targets together. */
  Totals totals() {
    return totals;
  }

  /** Of all its targets together. */
  HistogramTotals histograms() {
    return histograms;
  }

  /** Takes what was found; what belonged to a mount that is gone is forgotten. */
  void found(List<LustreName> nowMounts, List<LustreName> nowTargets) {
    for (LustreName target : targets) {
      if (!nowTargets.contains(target)) {
        totals.forget(target.folder());
        histograms.forget(target.folder());
      }
    }
    mounts = List.copyOf(nowMounts);
    targets = List.copyOf(nowTargets);
  }

  /** The mounts, the newest last. */
  List<LustreName> mounts() {
    return mounts;
  }

  /** The targets of all mounts. */
  List<LustreName> targets() {
    return targets;
  }

  /** Of one target the folder of each mount, the newest last. */
  List<LustreName> instances(String target) {
    return targets.stream().filter(one -> one.target().equals(target)).toList();
  }
}
