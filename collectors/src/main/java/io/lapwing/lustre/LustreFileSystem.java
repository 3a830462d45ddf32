package io.lapwing.lustre;

import io.lapwing.metric.Labels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** State shared by the sources of one mounted file system. Thread-safe. */
final class LustreFileSystem {

  private final String name;
  private final Labels labels;
  private final Totals totals;
  private final HistogramTotals histograms;
  private final Runnable whenAllTried;
  private final Set<String> tried = new HashSet<>();
  private boolean waitingEnded;
  private volatile List<LustreName> mounts = List.of();
  private volatile List<LustreName> targets = List.of();

  /** {@code whenAllTried} runs once, when every target was read or its read failed. */
  LustreFileSystem(String name, Consumer<LustreFileSystem> whenAllTried) {
    this.name = name;
    this.labels = Labels.of("fs", name);
    this.totals = new Totals(labels);
    this.histograms = new HistogramTotals(labels);
    this.whenAllTried = () -> whenAllTried.accept(this);
  }

  String name() {
    return name;
  }

  Labels labels() {
    return labels;
  }

  Totals totals() {
    return totals;
  }

  HistogramTotals histograms() {
    return histograms;
  }

  /** Sets mounts and targets; drops those of removed mounts. */
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

  /** All mounts, the newest last. */
  List<LustreName> mounts() {
    return mounts;
  }

  /** The targets of all mounts. */
  List<LustreName> targets() {
    return targets;
  }

  /** The folders of one target, one per mount, the newest last. */
  List<LustreName> instances(String target) {
    return targets.stream().filter(one -> one.target().equals(target)).toList();
  }

  /** A target was read, or reading it failed. */
  synchronized void tried(String target) {
    tried.add(target);
    if (targets.stream().map(LustreName::target).allMatch(tried::contains)) {
      stopWaiting();
    }
  }

  /** A hung target must not delay the sums of the others. */
  synchronized void stopWaiting() {
    if (!waitingEnded) {
      waitingEnded = true;
      whenAllTried.run();
    }
  }

  /** It is no longer mounted; {@code whenAllTried} does not run any more. */
  synchronized void unmounted() {
    waitingEnded = true;
  }
}
