package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.metric.Labels;
import io.lapwing.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * DCGM's host engine as a source: values that NVML does not have. A host engine that hangs or has
 * ended affects only this source, which reconnects when it is back.
 *
 * <pre>
 * lapwing_dcgm_up 1
 * lapwing_dcgm_info{library_version="4.4.2",engine_version="4.4.2",engine="localhost:5555"} 1
 * lapwing_dcgm_field_rejected{field="DCGM_FI_PROF_PIPE_INT_ACTIVE",reason="profiling_multi_pass"} 1
 * lapwing_dcgm_sample_timestamp_seconds 1767225600
 * DCGM_FI_DEV_NVSWITCH_FATAL_ERRORS{nvswitch="nvswitch2",Hostname="node-1"} 20034
 * DCGM_FI_DEV_CPU_POWER_UTIL_CURRENT{cpu="0",Hostname="node-1"} 87.2
 * DCGM_FI_DEV_NVSWITCH_LINK_STATUS{nvlink="14",nvswitch="nvswitch2",Hostname="node-1"} 2
 * </pre>
 *
 * The activity of GPUs and MIG instances goes to {@link ActivityBoard}s; their own sources expose
 * it.
 */
public final class DcgmSource extends FixedSource {

  public static final String COLLECTOR = "dcgm";
  public static final String SWITCHES = "nvswitch";
  public static final String CPUS = "grace_cpu";
  public static final String LINKS = "nvswitch_links";

  private final HostEngineAccess access;
  private final GpuContext context;
  private final DcgmBoards boards;
  private final Duration every;
  private final Duration slow;

  private @Nullable Session session;
  private volatile boolean seen;
  private Instant soughtOthers = Instant.EPOCH;

  /** Everything that is open in one engine, for the GPUs that it had then. */
  private record Session(
      HostEngineAccess.Opened opened,
      Set<DcgmEntity> gpus,
      DcgmActivity activity,
      DcgmInstances instances,
      DcgmSwitches switches,
      DcgmCpus cpus,
      DcgmSwitchLinks links) {

    /** Without watches this call shows that the engine answers. */
    Reading<List<DcgmEntity>> listed() {
      return opened.engine().entities(DcgmEntity.Kind.GPU);
    }

    /** Whether a GPU is missing, or one has a UUID that had none or was not listed before. */
    boolean isOutdated(List<DcgmEntity> listed) {
      return !listed.containsAll(gpus)
          || listed.stream()
              .filter(gpu -> !gpus.contains(gpu))
              .anyMatch(gpu -> opened.engine().uuid(gpu) instanceof Reading.Present);
    }

    Reading<Boolean> read(Reading<List<DcgmEntity>> listed, Instant now) {
      return listed
          .flatMap(gpus -> activity.read(now))
          .map(
              ok -> {
                instances.read(now);
                return ok;
              })
          .flatMap(ok -> switches.read(now))
          .flatMap(ok -> cpus.read(now));
    }
  }

  /**
   * {@code every}: how often the engine samples; {@code slow}: and what it reads of each link of
   * the switches.
   */
  public DcgmSource(
      HostEngineAccess access,
      GpuContext context,
      DcgmBoards boards,
      Duration every,
      Duration slow) {
    super("dcgm", "dcgm");
    add(COLLECTOR, Cadence.FAST, this::collect);
    add(SWITCHES, Cadence.FAST, sink -> collect(open -> open.switches()::collect, sink));
    add(CPUS, Cadence.FAST, sink -> collect(open -> open.cpus()::collect, sink));
    add(LINKS, Cadence.SLOW, sink -> collect(open -> open.links()::collect, sink));
    this.access = access;
    this.context = context;
    this.boards = boards;
    this.every = every;
    this.slow = slow;
  }

  /** Empty with {@code auto} on a node that never had a host engine. */
  @Override
  public Optional<Series> up() {
    return seen || access.expected()
        ? Optional.of(new Series(HostEngineMetrics.UP, Labels.NONE))
        : Optional.empty();
  }

  @Override
  public Access begin(List<Collector> due) {
    Optional<String> released = context.driver().release().why();
    if (released.isPresent()) {
      close();
      unavailable(GpuRelease.REASON);
      return new Access.Down(GpuRelease.REASON, released.get());
    }
    Session open = session;
    if (open != null && isSecond(open)) {
      close();
      open = null;
    }
    Reading<List<DcgmEntity>> listed = open == null ? Reading.of(List.of()) : open.listed();
    if (open != null && listed.toOptional().filter(open::isOutdated).isPresent()) {
      close();
      open = null;
    }
    if (open == null) {
      Access answer = open();
      open = session;
      if (open == null) {
        return answer;
      }
    }
    return read(open, listed, due.stream().anyMatch(one -> one.name().equals(LINKS)));
  }

  /** Not in each round: it reads a file for each process of the node. */
  private boolean isSecond(Session open) {
    Instant now = context.clock().instant();
    if (Duration.between(soughtOthers, now).abs().compareTo(slow) < 0) {
      return false;
    }
    soughtOthers = now;
    return access.isSecond(open.opened());
  }

  private Access read(Session open, Reading<List<DcgmEntity>> listed, boolean links) {
    Instant now = context.clock().instant();
    Reading<Boolean> read = open.read(listed, now);
    return (links ? read.flatMap(ok -> open.links().read(now, context.view())) : read)
        .failure()
        .map(reason -> lost(reason, open))
        .orElse(Access.READY);
  }

  /** The next round connects again. */
  private Access lost(String reason, Session open) {
    close();
    unavailable(reason);
    return new Access.Down(
        reason, "the host engine " + open.opened().where() + " answers " + reason);
  }

  private Access open() {
    HostEngineSession.Found found =
        HostEngineSession.open(access, seen, context.driver().release(), this);
    if (found instanceof HostEngineSession.Refused refused) {
      unavailable(refused.reason());
      return refused.access();
    }
    HostEngineSession open = ((HostEngineSession.Open) found).session();
    DcgmEngine engine = open.opened().engine();
    seen = true;
    boards.activity().available();
    DcgmSwitches sxids = new DcgmSwitches(engine, every);
    session =
        new Session(
            open.opened(),
            Set.copyOf(open.gpus().values()),
            new DcgmActivity(engine, boards.activity(), every, open.gpus()),
            new DcgmInstances(engine, boards.instances(), every, open.gpus()),
            sxids,
            new DcgmCpus(engine, every),
            new DcgmSwitchLinks(engine, sxids, slow));
    return Access.READY;
  }

  private void collect(SampleSink sink) {
    Session open = session;
    if (open != null) {
      HostEngineAccess.Opened opened = open.opened();
      sink.add(
          HostEngineMetrics.INFO,
          Labels.of(
              "library_version",
              opened.libraryVersion(),
              "engine_version",
              opened.engine().version(),
              "engine",
              opened.where()),
          1);
      open.activity().collect(sink);
      open.instances().collect(sink, open.activity().rejected());
    }
  }

  private void collect(Function<Session, BiConsumer<SampleSink, GpuView>> part, SampleSink sink) {
    Session open = session;
    if (open != null) {
      part.apply(open).accept(sink, context.view());
    }
  }

  private void unavailable(String reason) {
    boards.activity().unavailable(reason);
    boards.instances().unavailable(reason);
  }

  /** Ends the watches: otherwise an engine may continue to sample for a disconnected client. */
  @Override
  public void close() {
    Session open = session;
    if (open != null) {
      session = null;
      open.opened().engine().close();
    }
    context.driver().release().leave(this);
    unavailable(ActivityBoard.OFF);
  }
}
