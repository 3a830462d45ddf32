package io.lapwing.linux;

import java.util.concurrent.atomic.LongAdder;

/** Counters of the reading thread, which any thread may read. */
final class KernelLogTally {

  private final LongAdder records = new LongAdder();
  private final LongAdder malformed = new LongAdder();
  private final LongAdder cut = new LongAdder();

  void record() {
    records.increment();
  }

  void malformed() {
    malformed.increment();
  }

  void cut() {
    cut.increment();
  }

  KernelLog.Counts counts() {
    return new KernelLog.Counts(records.sum(), malformed.sum(), cut.sum());
  }
}
