package io.lapwing.training;

import io.lapwing.metric.LabelText;
import io.lapwing.training.StepFile.RejectedException;
import io.lapwing.training.StepFile.Rejection;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The constant part of a step file's header.
 *
 * @param pid in the writer's own PID namespace
 * @param locked whether the writer claims to hold a lock on the file
 * @param processStart in clock ticks since boot
 * @param pidNamespace its inode
 * @param gpuIndex NVML's index on the host
 * @param parallelRanks within dp, tp, pp, cp and ep; empty strings where unknown
 * @param parallelSizes of the same groups
 * @param flopsPerToken forward and backward
 * @param created in nanoseconds since the epoch
 */
record StepHeader(
    int capacity,
    int pid,
    boolean locked,
    OptionalLong processStart,
    OptionalLong pidNamespace,
    OptionalInt rank,
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

  /** More ranks than any cluster has GPUs. */
  private static final int MAX_RANKS = 10_000_000;

  private static final int MAX_GPUS = 1024;
  private static final int MAX_PID = 1 << 22;
  private static final int PARALLEL_KINDS = 5;

  /** A UUID of a MIG slice, the longest text that is legitimate and not free, has 40. */
  static final int MAX_TEXT = 64;

  StepHeader {
    parallelRanks = List.copyOf(parallelRanks);
    parallelSizes = List.copyOf(parallelSizes);
  }

  /** Whether the loop names a MIG device as its GPU. */
  boolean isOnMigDevice() {
    return gpuUuid.startsWith("MIG-");
  }

  static StepHeader parse(byte[] bytes, long size) throws RejectedException {
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    if (!Arrays.equals(
        bytes, 0, StepLayout.MAGIC.length, StepLayout.MAGIC, 0, StepLayout.MAGIC.length)) {
      throw new RejectedException(Rejection.BAD_MAGIC);
    }
    if (header.getInt(StepLayout.AT_VERSION) != StepLayout.VERSION) {
      throw new RejectedException(Rejection.VERSION);
    }
    int capacity = header.getInt(StepLayout.AT_CAPACITY);
    demand(
        header.getInt(StepLayout.AT_HEADER_SIZE) == StepLayout.HEADER
            && header.getInt(StepLayout.AT_RECORD_SIZE) == StepLayout.RECORD
            && capacity >= StepLayout.MIN_CAPACITY
            && capacity <= StepLayout.MAX_CAPACITY);
    if (size != StepLayout.HEADER + (long) capacity * StepLayout.RECORD) {
      throw new RejectedException(Rejection.BAD_SIZE);
    }
    return of(bytes, header, capacity);
  }

  private static StepHeader of(byte[] bytes, ByteBuffer header, int capacity)
      throws RejectedException {
    int pid = within(header.getInt(StepLayout.AT_PID), 1, MAX_PID);
    int worldSize = within(header.getInt(StepLayout.AT_WORLD_SIZE), 0, MAX_RANKS);
    OptionalInt rank = known(within(header.getInt(StepLayout.AT_RANK), -1, MAX_RANKS), 0);
    demand(worldSize == 0 || rank.orElse(0) < worldSize);
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
        known(within(header.getInt(StepLayout.AT_LOCAL_RANK), -1, MAX_RANKS), 0),
        known(worldSize, 1),
        known(within(header.getInt(StepLayout.AT_GPU_INDEX), -1, MAX_GPUS), 0),
        parallel(header, StepLayout.AT_PARALLEL_RANKS, -1),
        parallel(header, StepLayout.AT_PARALLEL_SIZES, 0),
        Double.isFinite(flops) && flops > 0 ? OptionalDouble.of(flops) : OptionalDouble.empty(),
        created,
        name(bytes, StepLayout.AT_JOB),
        name(bytes, StepLayout.AT_RUN),
        text(bytes, StepLayout.AT_GPU_UUID, StepLayout.GPU_UUID_BYTES),
        text(bytes, StepLayout.AT_PRECISION, StepLayout.PRECISION_BYTES),
        text(bytes, StepLayout.AT_FRAMEWORK, StepLayout.FRAMEWORK_BYTES));
  }

  /**
   * The text up to the first NUL, at most 64 characters, without control characters; invalid UTF-8
   * is replaced, as are characters that are escaped in an exposition and so would double its size.
   */
  static String text(byte[] bytes, int from, int max) {
    int to = from;
    while (to < from + max && bytes[to] != 0) {
      to++;
    }
    String text = new String(bytes, from, to - from, StandardCharsets.UTF_8);
    String clean = LabelText.clean(text).strip().replace('"', '_').replace('\\', '_');
    int end = Math.min(clean.length(), MAX_TEXT);
    boolean splits = end < clean.length() && Character.isLowSurrogate(clean.charAt(end));
    return clean.substring(0, splits ? end - 1 : end).strip();
  }

  /** A slash separates the names of a rank, as in {@code 4711/3}. */
  private static String name(byte[] bytes, int from) {
    return text(bytes, from, StepLayout.NAME_BYTES).replace('/', '_');
  }

  private static List<String> parallel(ByteBuffer header, int at, int unknown)
      throws RejectedException {
    List<String> numbers = new ArrayList<>();
    for (int i = 0; i < PARALLEL_KINDS; i++) {
      int number = within(header.getInt(at + i * Integer.BYTES), unknown, MAX_RANKS);
      numbers.add(number == unknown ? "" : Integer.toString(number));
    }
    return numbers;
  }

  private static int within(int number, int least, int most) throws RejectedException {
    demand(number >= least && number <= most);
    return number;
  }

  private static void demand(boolean possible) throws RejectedException {
    if (!possible) {
      throw new RejectedException(Rejection.BAD_HEADER);
    }
  }

  private static OptionalInt known(int number, int least) {
    return number < least ? OptionalInt.empty() : OptionalInt.of(number);
  }

  private static OptionalLong known(long number) {
    return number == 0 ? OptionalLong.empty() : OptionalLong.of(number);
  }

  /** The label value; empty if the loop does not report it. */
  String rankText() {
    return rank.isPresent() ? Integer.toString(rank.getAsInt()) : "";
  }

  /** Whether both describe the same rank of runs of one name; an unknown rank may be any. */
  boolean sameRankAndRun(StepHeader other) {
    return rank.equals(other.rank) && run.equals(other.run);
  }

  /**
   * Whether its rank distinguishes it from other loops of its job: loops without a launcher have
   * none.
   */
  boolean hasSiblings() {
    return rank.isPresent() && worldSize.orElse(1) > 1;
  }
}
