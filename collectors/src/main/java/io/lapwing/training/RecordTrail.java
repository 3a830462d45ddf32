package io.lapwing.training;

import java.io.IOException;

/** Follows the records of one file as they are written, each once and in their order. */
final class RecordTrail {

  /** So often a record that should be whole is looked at again before it counts as torn. */
  private static final int PATIENCE = 3;

  /** Beyond it no loop ever comes, and doubles are no longer exact. */
  private static final long MOST_WRITTEN = 1L << 53;

  private final StepFile file;
  private final int capacity;
  private final FaultCounts faults;
  private long next = -1;
  private long missed;
  private int looks;

  /** Takes what was found whole. */
  interface Taker {
    void take(RecordBlock record) throws RejectedFile;
  }

  RecordTrail(StepFile file, FaultCounts faults) {
    this.file = file;
    this.capacity = file.header().capacity();
    this.faults = faults;
  }

  /**
   * Records that were overwritten before they were read, of those that came since the first look.
   */
  long missed() {
    return missed;
  }

  /** Reads what came since the last look; at the first, what is in the ring. */
  void follow(RecordBlock block, Taker taker) throws IOException, RejectedFile {
    long written = file.written();
    if (written < 0 || written > MOST_WRITTEN) {
      throw new RejectedFile(Rejection.BAD_HEADER);
    }
    if (written < next) {
      throw new RejectedFile(Rejection.TWO_WRITERS);
    }
    long oldest = Math.max(0, written - capacity);
    missed += next < 0 ? 0 : Math.max(0, oldest - next);
    next = Math.max(next, oldest);
    while (next < written) {
      int slot = (int) (next % capacity);
      int count = (int) Math.min(Math.min(RecordBlock.MOST, capacity - slot), written - next);
      block.load(file, slot, count);
      if (!take(block, count, taker)) {
        return;
      }
    }
  }

  private boolean take(RecordBlock block, int count, Taker taker) throws RejectedFile {
    for (int place = 0; place < count; place++) {
      block.choose(place);
      if (block.isWhole(next)) {
        looks = 0;
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

  /** Those behind a torn one had as much time. */
  private boolean isTorn() {
    if (looks < PATIENCE) {
      looks++;
      return false;
    }
    faults.record(RecordFault.TORN);
    return true;
  }
}
