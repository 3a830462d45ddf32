package io.lapwing.inference;

import io.lapwing.metric.Labels;
import io.lapwing.metric.Metric;
import java.util.ArrayList;
import java.util.List;

/** An exposed series, combined from one or more series of the engine. */
final class FoldedSeries {

  private final Metric metric;
  private final Labels labels;
  private final Measure.Fold fold;
  private final List<Replica> replicas = new ArrayList<>(1);

  FoldedSeries(Metric metric, Labels labels, Measure.Fold fold) {
    this.metric = metric;
    this.labels = labels;
    this.fold = fold;
  }

  Metric metric() {
    return metric;
  }

  Labels labels() {
    return labels;
  }

  /** Series that count the same requests have the same replica name. */
  Replica replica(String name) {
    for (Replica known : replicas) {
      if (known.name.equals(name)) {
        return known;
      }
    }
    Replica unseen = new Replica(name);
    replicas.add(unseen);
    return unseen;
  }

  int replicas() {
    return replicas.size();
  }

  /** Whether the engine had one of them in that round. */
  boolean seen(long round) {
    for (int i = 0; i < replicas.size(); i++) {
      if (replicas.get(i).round == round) {
        return true;
      }
    }
    return false;
  }

  double value(long round) {
    double value = 0;
    for (int i = 0; i < replicas.size(); i++) {
      Replica one = replicas.get(i);
      if (one.round == round) {
        value += one.value;
      }
    }
    return value;
  }

  final class Replica {

    private final String name;
    private long round;
    private double value;

    Replica(String name) {
      this.name = name;
    }

    void take(double seen, long now) {
      if (round != now) {
        round = now;
        value = seen;
      } else {
        value = fold == Measure.Fold.SUM ? value + seen : Math.max(value, seen);
      }
    }
  }
}
