package io.lapwing.nccl.ring;

import io.lapwing.metric.Labels;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** A rank of a communicator: a place in the table of one process. */
final class RingMember {

  private static final RingOperation[] OPERATIONS = RingOperation.values();

  /** All but those of its operations. */
  private static final int OWN_SERIES = 9;

  final int place;
  final int generation;
  final long hash;
  final int rank;
  final int ranks;
  final Labels base;

  /** By their places in {@link RingOperation}. */
  private final RingTotals[] totals = new RingTotals[OPERATIONS.length];

  private final Map<RingOperation, Labels> labels = new EnumMap<>(RingOperation.class);

  /**
   * How long this rank waited for the last one of this node in all compared collectives, in
   * seconds.
   */
  double waited;

  /** How much later than the first one of this node it entered them. */
  double late;

  long compared;

  /** Whether another rank of the communicator is on this node. */
  boolean comparable;

  RingLag lag = RingLag.NONE;

  /** The order of the claim to a rank, by time; 0 before the first check. */
  long claim;

  /** Whether it is the rank that it claims to be, of all that claim it. */
  boolean chosen;

  private Labels info;

  /** Its process, for {@link RingMetrics#RANK_PROCESS}; empty unless it is verified. */
  private Optional<Labels> process = Optional.empty();

  /**
   * The properties of a member's process.
   *
   * @param api the version of NCCL's plugin interface
   * @param gpu as NVML counts; empty if unknown
   * @param verified {@link RingStanding#isOfJob}
   */
  record Origin(int api, OptionalInt gpu, boolean verified) {}

  private RingMember(ByteBuffer table, int at, int place, Origin origin) {
    this.place = place;
    this.generation = table.getInt(at + RingLayout.AT_GENERATION);
    this.hash = table.getLong(at + RingLayout.AT_HASH);
    this.rank = table.getInt(at + RingLayout.AT_RANK);
    this.ranks = Math.max(0, table.getInt(at + RingLayout.AT_RANKS));
    int nodes = Math.max(0, table.getInt(at + RingLayout.AT_NODES));
    Arrays.fill(totals, RingTotals.NONE);
    this.base =
        Labels.of(
            RingMetrics.COMM,
            "%016x".formatted(hash),
            RingMetrics.RANK,
            rank < 0 ? "" : Integer.toString(rank),
            RingMetrics.GPU,
            origin.gpu().isPresent() ? Integer.toString(origin.gpu().getAsInt()) : "");
    List<String> names = new ArrayList<>(base.names());
    names.addAll(RingMetrics.INFO_LABELS);
    List<String> values = new ArrayList<>(base.values());
    values.add(RingText.of(table, at + RingLayout.AT_NAME, RingLayout.NAME_BYTES));
    values.add(known(ranks));
    values.add(known(nodes));
    values.add(Integer.toString(origin.api()));
    values.add(origin.verified() ? "1" : "0");
    this.info = new Labels(names, values);
  }

  /** For {@link RingMetrics#INFO}. */
  Labels info() {
    return info;
  }

  void setVerified(boolean verified) {
    List<String> values = new ArrayList<>(info.values());
    values.set(values.size() - 1, verified ? "1" : "0");
    info = new Labels(info.names(), values);
  }

  /** Series that it has at most. */
  int series() {
    int operations = 0;
    for (RingTotals one : totals) {
      operations += one.entered() > 0 ? 1 : 0;
    }
    return OWN_SERIES + 2 * operations;
  }

  private static String known(int number) {
    return number == 0 ? "" : Integer.toString(number);
  }

  static RingMember of(ByteBuffer table, int at, int place, Origin origin) {
    return new RingMember(table, at, place, origin);
  }

  /** Whether this place of the table is in use, by a communicator that is known. */
  static boolean isUsed(ByteBuffer table, int at) {
    return table.getInt(at + RingLayout.AT_STATE) == 1
        && table.getLong(at + RingLayout.AT_HASH) != 0;
  }

  /** Whether this place still has the same communicator. */
  boolean isAt(ByteBuffer table, int at) {
    return isUsed(table, at)
        && table.getInt(at + RingLayout.AT_GENERATION) == generation
        && table.getLong(at + RingLayout.AT_HASH) == hash
        && table.getInt(at + RingLayout.AT_RANK) == rank;
  }

  /** Reads the totals; false, leaving them, if one is impossible or less than before. */
  boolean update(ByteBuffer table, int at) {
    RingTotals[] now = new RingTotals[totals.length];
    for (int i = 0; i < now.length; i++) {
      now[i] = RingTotals.parse(table, at + RingLayout.AT_OPERATIONS + i * RingLayout.OPERATION);
      if (!now[i].follows(totals[i])) {
        return false;
      }
    }
    System.arraycopy(now, 0, totals, 0, now.length);
    return true;
  }

  RingTotals totals(RingOperation operation) {
    return totals[operation.place()];
  }

  /** Whether it has more than one rank, so that ranks wait for each other. */
  boolean isShared() {
    return ranks != 1;
  }

  Optional<Labels> process() {
    return process;
  }

  /** Labels are made once: the renderer recognizes a series by them. */
  void setProcess(List<String> values) {
    int own = base.values().size();
    if (process
        .filter(old -> old.values().subList(own, own + values.size()).equals(values))
        .isEmpty()) {
      List<String> all = new ArrayList<>(base.values());
      all.addAll(values);
      process = Optional.of(new Labels(RingMetrics.RANK_PROCESS.labels(), all));
    }
  }

  Labels labels(RingOperation operation) {
    return labels.computeIfAbsent(operation, one -> base.with(RingMetrics.OPERATION, one.text()));
  }
}
