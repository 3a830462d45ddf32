package io.lapwing.nccl.ring;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The bytes of a ring file with two communicators' places and eight records. */
final class RingImage {

  static final int CAPACITY = 8;
  static final int PLACES = 2;
  static final long HASH = 0xae94423cfbb2ef4aL;

  final ByteBuffer bytes;
  private final int records;

  private long written;

  RingImage() {
    this(PLACES);
  }

  RingImage(int places) {
    records = RingLayout.HEADER + places * RingLayout.COMMUNICATOR;
    bytes =
        ByteBuffer.allocate(records + CAPACITY * RingLayout.RECORD).order(ByteOrder.LITTLE_ENDIAN);
    bytes.put(0, RingLayout.magic());
    bytes.putInt(RingLayout.AT_VERSION, 1);
    bytes.putInt(RingLayout.AT_HEADER_SIZE, RingLayout.HEADER);
    bytes.putInt(RingLayout.AT_RECORD_SIZE, RingLayout.RECORD);
    bytes.putInt(RingLayout.AT_CAPACITY, CAPACITY);
    bytes.putInt(RingLayout.AT_FLAGS, RingLayout.FLAG_LOCKED);
    bytes.putInt(RingLayout.AT_RANK_OF_JOB, -1);
    bytes.putInt(RingLayout.AT_GPU_INDEX, -1);
    bytes.putInt(RingLayout.AT_COMMUNICATORS, places);
    bytes.putInt(RingLayout.AT_COMMUNICATOR_SIZE, RingLayout.COMMUNICATOR);
    bytes.putInt(RingLayout.AT_INTERFACE, 6);
  }

  /** With one communicator of eight ranks, at the first place. */
  static RingImage of(int rank) {
    return new RingImage().communicator(0, HASH, rank, 8, "dp");
  }

  /** As its process calls it. */
  RingImage job(String name, int rank) {
    byte[] text = name.getBytes(UTF_8);
    bytes.put(RingLayout.AT_JOB, text, 0, Math.min(text.length, RingLayout.JOB_BYTES));
    bytes.putInt(RingLayout.AT_RANK_OF_JOB, rank);
    return this;
  }

  RingImage communicator(int place, long hash, int rank, int ranks, String name) {
    int at = at(place);
    bytes.putInt(at + RingLayout.AT_STATE, 1);
    bytes.putInt(at + RingLayout.AT_GENERATION, 1);
    bytes.putLong(at + RingLayout.AT_HASH, hash);
    bytes.putInt(at + RingLayout.AT_RANK, rank);
    bytes.putInt(at + RingLayout.AT_RANKS, ranks);
    bytes.putInt(at + RingLayout.AT_NODES, 1);
    byte[] text = name.getBytes(UTF_8);
    bytes.put(at + RingLayout.AT_NAME, text, 0, Math.min(text.length, RingLayout.NAME_BYTES));
    return this;
  }

  /** Totals of an operation at the first place, in the order of the format. */
  RingImage totals(RingOperation operation, long... values) {
    return totalsAt(0, operation, values);
  }

  RingImage totalsAt(int place, RingOperation operation, long... values) {
    int at = at(place) + RingLayout.AT_OPERATIONS + operation.place() * RingLayout.OPERATION;
    for (int i = 0; i < values.length; i++) {
      bytes.putLong(at + 8 * i, values[i]);
    }
    return this;
  }

  /** Adds a record of the first place. */
  RingImage record(RingOperation operation, long sequence, long nanos) {
    int at = records + (int) (written % CAPACITY) * RingLayout.RECORD;
    bytes.putLong(at + RingLayout.AT_MARK, 2 * written + 2);
    bytes.putLong(at + RingLayout.AT_SEQUENCE, sequence);
    bytes.putLong(at + RingLayout.AT_DURATION, nanos);
    bytes.put(at + RingLayout.AT_PLACE, (byte) 0);
    bytes.put(at + RingLayout.AT_OPERATION, (byte) operation.place());
    bytes.putInt(at + RingLayout.AT_RECORD_GENERATION, 1);
    bytes.putLong(at + RingLayout.AT_MARK_AGAIN, 2 * written + 2);
    written++;
    bytes.putLong(RingLayout.AT_WRITTEN, written);
    return this;
  }

  static int at(int place) {
    return RingLayout.HEADER + place * RingLayout.COMMUNICATOR;
  }

  /** Writes in place: the file stays the same. */
  void write(Path file) {
    try {
      Files.write(file, bytes.array());
    } catch (IOException broken) {
      throw new IllegalStateException(broken);
    }
  }
}
