package io.lapwing.training;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a step file says of its rank, once and for all.
 *
 * @param pid in the writer's own PID namespace
 * @param locked whether the writer says that it holds a lock on the file
 * @param processStart in clock ticks since boot
 * @param pidNamespace its inode
 * @param gpuIndex NVML's, as the host counts
 * @param parallelRanks within dp, tp, pp, cp and ep; empty texts where unknown
 * @param parallelSizes of them
 * @param flopsPerToken forward and backward
 * @param created in nanoseconds since the epoch
 */
record StepHeader(
    int capacity,
    int pid,
    boolean locked,
    OptionalLong processStart,
    OptionalLong pidNamespace,
    int rank,
    OptionalInt localRank,
    OptionalInt worldSize,
    OptionalInt gpuIndex,
    List<String> parallelRanks,
    List<String> parallelSizes,
    OptionalDouble flopsPerToken,
    long created,
    String job,
    String run,
    String gpuUuid,
    String precision,
    String framework) {

  /** More ranks than any machine has GPUs. */
  private static final int MOST_RANKS = 10_000_000;

  private static final int MOST_GPUS = 1024;
  private static final int MOST_PID = 1 << 22;
  private static final int PARALLEL_KINDS = 5;

  StepHeader {
    parallelRanks = List.copyOf(parallelRanks);
    parallelSizes = List.copyOf(parallelSizes);
  }

  /**
   * The header of a file.
   *
   * @param bytes the whole header
   * @param size of the file
   */
  static StepHeader parse(byte[] bytes, long size) throws RejectedFile {
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!Arrays.equals(
        bytes, 0, StepLayout.MAGIC.length, StepLayout.MAGIC, 0, StepLayout.MAGIC.length)) {
      throw new RejectedFile(Rejection.BAD_MAGIC);
    }
    if (header.getInt(StepLayout.AT_VERSION) != StepLayout.VERSION) {
      throw new RejectedFile(Rejection.VERSION);
    }
    int capacity = header.getInt(StepLayout.AT_CAPACITY);
    demand(
        header.getInt(StepLayout.AT_HEADER_SIZE) == StepLayout.HEADER
            && header.getInt(StepLayout.AT_RECORD_SIZE) == StepLayout.RECORD
            && capacity >= StepLayout.LEAST_CAPACITY
            && capacity <= StepLayout.MOST_CAPACITY);
    if (size != StepLayout.HEADER + (long) capacity * StepLayout.RECORD) {
      throw new RejectedFile(Rejection.BAD_SIZE);
    }
    return of(bytes, header, capacity);
  }

  private static StepHeader of(byte[] bytes, ByteBuffer header, int capacity) throws RejectedFile {
    int pid = within(header.getInt(StepLayout.AT_PID), 1, MOST_PID);
    int worldSize = within(header.getInt(StepLayout.AT_WORLD_SIZE), 0, MOST_RANKS);
    int rank = within(header.getInt(StepLayout.AT_RANK), -1, MOST_RANKS);
    demand(worldSize == 0 || rank < worldSize);
    long created = header.getLong(StepLayout.AT_CREATED);
    demand(created > 0);
    double flops = header.getDouble(StepLayout.AT_FLOPS_PER_TOKEN);
    return new StepHeader(
        capacity,
        pid,
        (header.getInt(StepLayout.AT_FLAGS) & StepLayout.FLAG_LOCKED) != 0,
        known(header.getLong(StepLayout.AT_PROCESS_START)),
        known(header.getLong(StepLayout.AT_PID_NAMESPACE)),
        rank,
        known(within(header.getInt(StepLayout.AT_LOCAL_RANK), -1, MOST_RANKS), 0),
        known(worldSize, 1),
        known(within(header.getInt(StepLayout.AT_GPU_INDEX), -1, MOST_GPUS), 0),
        parallel(header, StepLayout.AT_PARALLEL_RANKS, -1),
        parallel(header, StepLayout.AT_PARALLEL_SIZES, 0),
        Double.isFinite(flops) && flops > 0 ? OptionalDouble.of(flops) : OptionalDouble.empty(),
        created,
        HeaderText.of(bytes, StepLayout.AT_JOB, StepLayout.NAME_BYTES),
        HeaderText.of(bytes, StepLayout.AT_RUN, StepLayout.NAME_BYTES),
        HeaderText.of(bytes, StepLayout.AT_GPU_UUID, StepLayout.GPU_UUID_BYTES),
        HeaderText.of(bytes, StepLayout.AT_PRECISION, StepLayout.PRECISION_BYTES),
        HeaderText.of(bytes, StepLayout.AT_FRAMEWORK, StepLayout.FRAMEWORK_BYTES));
  }

  /**
   * Five numbers in a row.
   *
   * @param unknown what stands for none
   */
  private static List<String> parallel(ByteBuffer header, int at, int unknown) throws RejectedFile {
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i < PARALLEL_KINDS; i++) {
      int number = within(header.getInt(at + i * Integer.BYTES), unknown, MOST_RANKS);
      numbers.add(number == unknown ? "" : Integer.toString(number));
    }
    return numbers;
  }

  private static int within(int number, int least, int most) throws RejectedFile {
    demand(number >= least && number <= most);
    return number;
  }

  private static void demand(boolean possible) throws RejectedFile {
    if (!possible) {
      throw new RejectedFile(Rejection.BAD_HEADER);
    }
  }

  private static OptionalInt known(int number, int least) {
    return number < least ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private static OptionalLong known(long number) {
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** As it stands in a label; empty where the loop did not know it. */
  String rankText() {
    return rank < 0 ? "" : Integer.toString(rank);
  }

  /** Whether it speaks for the same rank of the same run as another. */
  boolean sameRank(StepHeader other) {
    return rank == other.rank && job.equals(other.job) && run.equals(other.run);
  }
}
