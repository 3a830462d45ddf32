package io.lapwing.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Consecutive records of a file, read twice: without a lock or memory fence between processes, only
 * a record that is equal in both reads is valid.
 */
final class RecordBlock {

  static final int MAX_RECORDS = 64;

  private final byte[] one = new byte[MAX_RECORDS * StepLayout.RECORD];
  private final byte[] other = new byte[MAX_RECORDS * StepLayout.RECORD];
  private final ByteBuffer record = ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer again = ByteBuffer.wrap(other);
  private int at;

  /** Reads at most {@link #MAX_RECORDS} from a slot, not beyond the end of the ring. */
  void load(StepFile file, int slot, int count) throws IOException, StepFile.RejectedException {
    long from = StepLayout.HEADER + (long) slot * StepLayout.RECORD;
    int length = count * StepLayout.RECORD;
    file.readOn(record.position(0).limit(length), from);
    file.readOn(again.position(0).limit(length), from);
    record.clear();
  }

  void choose(int place) {
    at = place * StepLayout.RECORD;
  }

  /** Whether the chosen record is complete and has that number. */
  boolean isWhole(long number) {
    return integer(StepLayout.AT_SEQUENCE) == 2 * number + 2
        && integer(StepLayout.AT_SEQUENCE_AGAIN) == 2 * number + 2
        && Arrays.equals(one, at, at + StepLayout.RECORD, other, at, at + StepLayout.RECORD);
  }

  /** Whether a later record is in its place, or was at the second read. */
  boolean isOverwritten(long number) {
    return integer(StepLayout.AT_SEQUENCE) > 2 * number + 2
        || ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).getLong(at) > 2 * number + 2;
  }

  long integer(int offset) {
    return record.getLong(at + offset);
  }

  /** May be NaN. */
  double number(int offset) {
    return record.getDouble(at + offset);
  }

  /** Reuses read buffers: as many exist as ranks are read at the same time, mostly one. */
  static final class Pool {

    private final ConcurrentLinkedQueue<RecordBlock> free = new ConcurrentLinkedQueue<>();

    RecordBlock take() {
      RecordBlock block = free.poll();
      return block == null ? new RecordBlock() : block;
    }

    void release(RecordBlock block) {
      free.add(block);
    }
  }
}
