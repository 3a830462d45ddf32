package io.lapwing.nccl.ring;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.PageShare;
import io.lapwing.collect.Part;
import io.lapwing.collect.SampleSink;
import io.lapwing.metric.Labels;
import io.lapwing.nccl.ring.RingFile.RejectedException;
import io.lapwing.nccl.ring.RingFile.Rejection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The collectives of this node's ranks, from the ring files of Lapwing's profiler plugin for NCCL:
 *
 * <pre>
 * lapwing_nccl_profiler_collectives_total{comm="ae94423cfbb2ef4a",rank="3",gpu="3",operation="AllReduce"} 6650
 * lapwing_nccl_profiler_collective_seconds_total{comm,rank,gpu} 81.5      running and waiting
 * lapwing_nccl_profiler_late_seconds_total{comm,rank,gpu} 12.25           after the first rank here
 * lapwing_nccl_profiler_behind_seconds{comm,rank,gpu} 0
 * </pre>
 */
public final class RingSource extends FixedSource {

  public static final String COLLECTOR = "nccl_profiler";

  /** From which on the number of the collective is exposed. */
  private static final double LASTING_SECONDS = 5;

  private static final RingOperation[] OPERATIONS = RingOperation.values();

  private final RingFiles files;
  private final Access noFolder;
  private final Gpus gpus;
  private final InstantSource clock;
  private final RingClaims claims = new RingClaims();
  private final RingComparison comparison = new RingComparison();
  private final Map<Rejection, Labels> reasons = new EnumMap<>(Rejection.class);
  private @Nullable ByteBuffer table;
  private @Nullable ByteBuffer ring;
  private long lost;

  /**
   * Ring files in a folder, which need not exist.
   *
   * @param clock the time of day
   */
  public RingSource(Path folder, RingProcesses processes, Gpus gpus, InstantSource clock) {
    super("nccl-profiler", Part.whole(COLLECTOR));
    add(COLLECTOR, Cadence.FAST, this::collect);
    this.files = new RingFiles(folder, processes, gpus);
    this.noFolder = new Access.NothingHere("no folder " + folder);
    this.gpus = gpus;
    this.clock = clock;
    for (Rejection why : Rejection.values()) {
      reasons.put(why, Labels.of(RingMetrics.REASON, why.text()));
    }
  }

  /** The GPUs of this node: NVML indexes. */
  public interface Gpus {

    /** The GPU on which a process of the host computes; empty if it uses several. */
    OptionalInt byPid(long pid);

    OptionalInt byUuid(String uuid);

    /** Whether a process of the host computes on any of them. */
    default boolean isUsedBy(long pid) {
      return byPid(pid).isPresent();
    }

    /** How many there are. */
    default int count() {
      return 0;
    }
  }

  @Override
  public PageShare share() {
    return PageShare.NCCL;
  }

  @Override
  public Access begin(List<Collector> due) {
    try {
      files.scan();
      return Access.READY;
    } catch (NoSuchFileException none) {
      files.dropAll();
      return noFolder;
    } catch (IOException failed) {
      files.dropAll();
      String reason = failed instanceof AccessDeniedException ? "no_permission" : "io";
      return new Access.Down(reason, "the steps folder cannot be read: " + reason);
    }
  }

  @Override
  public void close() {
    files.dropAll();
  }

  private void collect(SampleSink sink) {
    files.processes().forEach(this::read);
    List<RingProcess> processes = files.processes();
    claims.update(processes);
    Instant time = clock.instant();
    long now = TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
    List<RingGone.Rank> gone = files.gone().update(processes, now);
    comparison.compare(processes, gone, now);
    long omitted = 0;
    Set<RingMember> exposed = RingRoom.exposed(processes);
    Set<Labels> claimed = new HashSet<>();
    for (RingProcess process : processes) {
      for (RingMember member : process.members()) {
        if (exposed.contains(member) && claimed.add(member.base)) {
          put(process, member, now, sink);
        } else {
          omitted++;
        }
        if (!member.chosen && process.noteDuplicate()) {
          files.count(Rejection.DUPLICATE);
        }
      }
      omitted += process.omitted();
    }
    gone.stream()
        .filter(rank -> claims.isOf(rank.process(), rank.member()))
        .filter(rank -> claimed.add(rank.member().base))
        .forEach(rank -> put(rank, sink));
    sink.add(RingMetrics.PROCESSES, Labels.NONE, processes.size());
    sink.add(RingMetrics.OMITTED, Labels.NONE, (double) omitted);
    sink.add(RingMetrics.LOST, Labels.NONE, (double) lost);
    files
        .counts()
        .forEach(
            (why, count) ->
                sink.add(
                    RingMetrics.REJECTED,
                    Objects.requireNonNull(reasons.get(why)),
                    (double) count));
  }

  private void read(RingProcess process) {
    try {
      process.read(table(), ring(), gpus);
      lost += process.newlyLost();
      if (process.file().isEnded()) {
        files.end(process, null);
      }
    } catch (RejectedException rejected) {
      files.end(process, rejected.why());
    } catch (IOException failed) {
      files.end(process, Rejection.IO);
    }
  }

  /** Made for the first file: most nodes have none. */
  private ByteBuffer table() {
    if (table == null) {
      table = buffer(RingLayout.MAX_COMMUNICATORS * RingLayout.COMMUNICATOR);
    }
    return table;
  }

  private ByteBuffer ring() {
    if (ring == null) {
      ring = buffer(RingProcess.MAX_RECORDS * RingLayout.RECORD);
    }
    return ring;
  }

  private static ByteBuffer buffer(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static void put(RingProcess process, RingMember member, long now, SampleSink sink) {
    long timed = 0;
    long timedNanos = 0;
    double inFlight = 0;
    for (RingOperation operation : OPERATIONS) {
      RingTotals totals = member.totals(operation);
      if (totals.entered() > 0) {
        Labels labels = member.labels(operation);
        sink.add(RingMetrics.COLLECTIVES, labels, (double) totals.entered());
        sink.add(RingMetrics.BYTES, labels, (double) totals.bytes());
      }
      timed += totals.timed();
      timedNanos += totals.timedNanos();
      if (totals.isInFlight()) {
        inFlight = Math.max(inFlight, seconds(now, totals.startedNanos()));
      }
    }
    sink.add(RingMetrics.INFO, member.info(), 1);
    member.process().ifPresent(labels -> sink.add(RingMetrics.RANK_PROCESS, labels, 1));
    if (process.isTimed()) {
      sink.add(RingMetrics.TIMED, member.base, (double) timed);
      sink.add(RingMetrics.SECONDS, member.base, timedNanos / 1e9);
      sink.add(RingMetrics.IN_FLIGHT, member.base, inFlight);
    }
    if (process.isTimed() && member.comparable) {
      sink.add(RingMetrics.COMPARED, member.base, (double) member.compared);
      sink.add(RingMetrics.WAIT, member.base, member.waited);
      sink.add(RingMetrics.LATE, member.base, member.late);
      putLag(member, sink);
      String state = member.lag.seconds() >= LASTING_SECONDS ? process.state() : "";
      if (!state.isEmpty()) {
        sink.add(RingMetrics.PROCESS_STATE, member.base.with(RingMetrics.STATE, state), 1);
      }
    }
  }

  private static void put(RingGone.Rank gone, SampleSink sink) {
    RingMember member = gone.member();
    if (member.lag.seconds() > 0) {
      member.process().ifPresent(labels -> sink.add(RingMetrics.RANK_PROCESS, labels, 1));
      sink.add(RingMetrics.RANK_GONE, member.base, gone.noticed() / 1e9);
      putLag(member, sink);
    }
  }

  private static void putLag(RingMember member, SampleSink sink) {
    RingLag lag = member.lag;
    sink.add(RingMetrics.BEHIND, member.base, lag.seconds());
    if (lag.seconds() >= LASTING_SECONDS) {
      Labels labels =
          member
              .base
              .with(RingMetrics.OPERATION, lag.operation().text())
              .with(RingMetrics.STATE, lag.state().text());
      sink.add(RingMetrics.BEHIND_SEQUENCE, labels, (double) lag.sequence());
    }
  }

  /** Since a time of a file, which may be anything. */
  static double seconds(long now, long since) {
    return since > 0 && since < now ? (now - since) / 1e9 : 0;
  }
}
