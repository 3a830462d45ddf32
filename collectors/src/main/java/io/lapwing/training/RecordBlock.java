package io.lapwing.training;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Some records of a file that stand in a row, read twice: no lock and no fence lies between the
 * writer and a reader in another process, so only what did not move between two readings counts.
 * One record is chosen at a time.
 */
final class RecordBlock {

  /** Records in a block. */
  static final int MOST = 64;

  private final byte[] one = new byte[MOST * StepLayout.RECORD];
  private final byte[] other = new byte[MOST * StepLayout.RECORD];
  private final ByteBuffer record = ByteBuffer.wrap(one).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer again = ByteBuffer.wrap(other);
  private int at;

  /**
   * Reads some.
   *
   * @param slot the first, of the ring
   * @param count at most {@link #MOST}, none of them behind the end of the ring
   */
  void load(StepFile file, int slot, int count) throws IOException, RejectedFile {
    long from = StepLayout.HEADER + (long) slot * StepLayout.RECORD;
    int length = count * StepLayout.RECORD;
    file.readOn(record.position(0).limit(length), from);
    file.readOn(again.position(0).limit(length), from);
    record.clear();
  }

  /** Chooses one by its place in the block. */
  void choose(int place) {
    at = place * StepLayout.RECORD;
  }

  /** Whether the chosen one is the finished record of that number. */
  boolean isWhole(long number) {
    return integer(StepLayout.AT_SEQUENCE) == 2 * number + 2
        && integer(StepLayout.AT_SEQUENCE_AGAIN) == 2 * number + 2
        && Arrays.equals(one, at, at + StepLayout.RECORD, other, at, at + StepLayout.RECORD);
  }

  /** Whether a later one is written in its place, or was between the two readings. */
  boolean isOverwritten(long number) {
    return integer(StepLayout.AT_SEQUENCE) > 2 * number + 2
        || ByteBuffer.wrap(other).order(ByteOrder.LITTLE_ENDIAN).getLong(at) > 2 * number + 2;
  }

  /** A whole number of the chosen one. */
  long integer(int offset) {
    return record.getLong(at + offset);
  }

  /** A number of the chosen one, which may be none. */
  double number(int offset) {
    return record.getDouble(at + offset);
  }
}
