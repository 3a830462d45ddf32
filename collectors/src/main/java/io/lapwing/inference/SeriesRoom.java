package io.lapwing.inference;

import java.util.concurrent.atomic.AtomicInteger;

/** The series that all engines of the node have together. Thread-safe. */
final class SeriesRoom {

  /** An engine has about 110 for a model. */
  static final int MAX_SERIES = 4_000;

  private final AtomicInteger free;

  SeriesRoom(int series) {
    free = new AtomicInteger(series);
  }

  boolean take() {
    return free.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  void giveBack(int series) {
    free.addAndGet(series);
  }
}
