package io.lapwing.nccl.ring;

import java.nio.ByteBuffer;

/**
 * One operation of one communicator, as its process counts it. A sequence is NCCL's number of the
 * collective plus 1, 0 for none; times are in nanoseconds since the epoch.
 *
 * @param entered enqueued on the host
 * @param finished whose kernel's end was recorded
 * @param timed of these, with a duration
 */
record RingTotals(
    long entered,
    long bytes,
    long enteredSequence,
    long startedSequence,
    long startedNanos,
    long finished,
    long finishedSequence,
    long timed,
    long timedNanos) {

  static final RingTotals NONE = new RingTotals(0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** Up to here, a double has every integer. */
  private static final long MAX = 1L << 53;

  static RingTotals parse(ByteBuffer table, int at) {
    return table.getLong(at) == 0
        ? NONE
        : new RingTotals(
            table.getLong(at),
            table.getLong(at + 8),
            table.getLong(at + 16),
            table.getLong(at + 40),
            table.getLong(at + 48),
            table.getLong(at + 56),
            table.getLong(at + 64),
            table.getLong(at + 80),
            table.getLong(at + 88));
  }

  /** Whether the numbers are possible, and none has decreased. */
  boolean follows(RingTotals before) {
    return rises(before.entered, entered)
        && rises(before.bytes, bytes)
        && rises(before.finished, finished)
        && rises(before.timed, timed)
        && before.timedNanos <= timedNanos
        && enteredSequence >= 0
        && startedSequence >= 0
        && finishedSequence >= 0;
  }

  private static boolean rises(long before, long now) {
    return before <= now && now < MAX;
  }

  /** Whether a kernel runs, which includes waiting for other ranks. */
  boolean isInFlight() {
    return startedSequence > finishedSequence;
  }
}
