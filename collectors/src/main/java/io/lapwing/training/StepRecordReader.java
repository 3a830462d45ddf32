package io.lapwing.training;

import io.lapwing.training.StepFile.RejectedException;
import io.lapwing.training.StepFile.Rejection;
import java.io.IOException;

/** Reads the records of one file as they are written, each once and in order. */
final class StepRecordReader {

  /** A record that should be complete is re-read this many times before it counts as torn. */
  private static final int MAX_RETRIES = 3;

  /** No loop writes more, and beyond it doubles are not exact. */
  private static final long MAX_WRITTEN = 1L << 53;

  private final StepFile file;
  private final int capacity;
  private final RejectionCounts faults;
  private boolean started;
  private long next;
  private long missed;
  private int retries;

  interface Receiver {
    void take(RecordBlock record) throws RejectedException;
  }

  StepRecordReader(StepFile file, RejectionCounts faults) {
    this.file = file;
    this.capacity = file.header().capacity();
    this.faults = faults;
  }

  /** Records that were overwritten before they were read, since the first read. */
  long missed() {
    return missed;
  }

  /** Reads the records since the last call; on the first call, all in the ring. */
  void readNew(RecordBlock block, Receiver taker) throws IOException, RejectedException {
    long written = file.written();
    if (written < 0 || written > MAX_WRITTEN) {
      throw new RejectedException(Rejection.BAD_HEADER);
    }
    if (written < next) {
      throw new RejectedException(Rejection.TWO_WRITERS);
    }
    long oldest = Math.max(0, written - capacity);
    missed += started ? Math.max(0, oldest - next) : 0;
    started = true;
    next = Math.max(next, oldest);
    while (next < written) {
      int slot = (int) (next % capacity);
      int count =
          (int) Math.min(Math.min(RecordBlock.MAX_RECORDS, capacity - slot), written - next);
      block.load(file, slot, count);
      if (!take(block, count, taker)) {
        return;
      }
    }
  }

  private boolean take(RecordBlock block, int count, Receiver taker) throws RejectedException {
    for (int place = 0; place < count; place++) {
      block.choose(place);
      if (block.isWhole(next)) {
        retries = 0;
        taker.take(block);
      } else if (block.isOverwritten(next)) {
        missed++;
      } else if (!isTorn()) {
        return false;
      }
      next++;
    }
    return true;
  }

  /** The records after a torn one had the same time, so each call counts against all of them. */
  private boolean isTorn() {
    if (retries < MAX_RETRIES) {
      retries++;
      return false;
    }
    faults.record(RejectionCounts.RecordFault.TORN);
    return true;
  }
}
