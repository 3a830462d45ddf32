package io.lapwing.lustre;

import io.lapwing.metric.Labels;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/** What the sources of one mounted file system have in common. Thread-safe. */
final class LustreFileSystem {

  private final String name;
  private final Labels labels;
  private final Totals totals;
  private final HistogramTotals histograms;
  private final Runnable allAsked;
  private final Set<String> asked = new HashSet<>();
  private boolean told;
  private volatile List<LustreName> mounts = List.of();
  private volatile List<LustreName> targets = List.of();

  /**
   * A file system of which nothing was found yet.
   *
   * @param allAsked run once, when each target was asked for what it has
   */
  LustreFileSystem(String name, Consumer<LustreFileSystem> allAsked) {
    this.name = name;
    this.labels = Labels.of("fs", name);
    this.totals = new Totals(labels);
    this.histograms = new HistogramTotals(labels);
    this.allAsked = () -> allAsked.accept(this);
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

  /** Takes that a target was asked for what it has, with or without an answer. */
  synchronized void asked(String target) {
    asked.add(target);
    if (targets.stream().map(LustreName::target).allMatch(asked::contains)) {
      waitedLongEnough();
    }
  }

  /** That one of them does not come back must not keep the others waiting. */
  synchronized void waitedLongEnough() {
    if (!told) {
      told = true;
      allAsked.run();
    }
  }

  /** It is not mounted any more; nothing is told from now on. */
  synchronized void gone() {
    told = true;
  }
}
