package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmHealthSystem;
import io.lapwing.dcgm.DcgmHealthWatch;
import io.lapwing.dcgm.DcgmIncident;
import io.lapwing.gpu.DcgmHealthBoard.Status;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * DCGM's health watches of all GPUs, for the {@link DcgmHealthBoard}, and the state of IMEX, which
 * they watch too. They have a connection and a thread of their own: a health module that hangs or
 * refuses affects only its results.
 */
public final class DcgmHealthSource extends FixedSource {

  public static final String COLLECTOR = "dcgm_health";
  public static final String IMEX = "imex";

  private final HostEngineAccess access;
  private final GpuContext context;
  private final DcgmHealthBoard board;

  /** Answers that do not concern the connection: the watches stay. */
  private static final Set<String> PASSING =
      Set.of("no_data", "stale_data", "pending", "timeout", "in_use");

  private @Nullable Session session;
  private boolean seen;

  /** {@code unlisted}: the GPUs that the driver has and the engine did not list. */
  private record Session(
      HostEngineSession engine,
      DcgmHealthWatch watch,
      DcgmImex imex,
      Instant since,
      Set<String> unlisted) {}

  public DcgmHealthSource(HostEngineAccess access, GpuContext context, DcgmHealthBoard board) {
    super(COLLECTOR, COLLECTOR);
    add(COLLECTOR, Cadence.SLOW, sink -> {});
    add(IMEX, Cadence.SLOW, this::collectImex);
    this.access = access;
    this.context = context;
    this.board = board;
    board.starting();
  }

  @Override
  public Access begin(List<Collector> due) {
    GpuRelease release = context.driver().release();
    Optional<String> released = release.why();
    if (released.isPresent()) {
      return down(new Access.Down(GpuRelease.REASON, released.get()), GpuRelease.REASON);
    }
    Session open = session;
    if (open != null
        && (access.isSecond(open.engine().opened())
            || !open.unlisted().containsAll(open.engine().unlisted(context.roster())))) {
      end();
      open = null;
    }
    if (open == null) {
      HostEngineSession.Found found = HostEngineSession.open(access, seen, release, this);
      if (found instanceof HostEngineSession.Refused refused) {
        return down(refused.access(), refused.reason());
      }
      seen = true;
      return watch(((HostEngineSession.Open) found).session());
    }
    return check(open);
  }

  private Access watch(HostEngineSession engine) {
    List<DcgmEntity> gpus = List.copyOf(engine.gpus().values());
    Reading<DcgmHealthWatch> watch = engine.opened().engine().watchHealth(gpus);
    if (watch instanceof Reading.Present<DcgmHealthWatch> present) {
      Session open =
          new Session(
              engine,
              present.value(),
              new DcgmImex(engine.opened().engine(), gpus),
              context.clock().instant(),
              engine.unlisted(context.roster()));
      session = open;
      return check(open);
    }
    engine.opened().engine().close();
    return refused(engine, watch);
  }

  private Access check(Session open) {
    Reading<List<DcgmIncident>> incidents = open.watch().check();
    if (incidents instanceof Reading.Present<List<DcgmIncident>> present) {
      publish(open, present.value(), context.clock().instant());
      open.imex().read(context.clock().instant());
      return Access.READY;
    }
    String reason = reason(incidents);
    if (PASSING.contains(reason)) {
      board.unavailable(reason);
      return refusal(open.engine(), reason);
    }
    return refused(open.engine(), incidents);
  }

  private void collectImex(SampleSink sink) {
    Session open = session;
    if (open != null) {
      open.imex().collect(sink, context.view());
    }
  }

  /** The next round connects again. */
  private Access refused(HostEngineSession engine, Reading<?> answer) {
    return down(refusal(engine, reason(answer)), reason(answer));
  }

  private static String reason(Reading<?> answer) {
    return answer.failure().orElse("not_supported");
  }

  private static Access refusal(HostEngineSession engine, String reason) {
    return new Access.Down(
        reason, "health watches of the host engine " + engine.opened().where() + ": " + reason);
  }

  /** A node without an engine is as good as one that does not use DCGM. */
  private Access down(Access access, String reason) {
    end();
    board.unavailable(access instanceof Access.NothingHere ? ActivityBoard.OFF : reason);
    return access;
  }

  /**
   * Before the engine has samples of a minute, a watch without an incident is not known to pass.
   */
  private void publish(Session open, List<DcgmIncident> incidents, Instant now) {
    boolean warm = !now.isBefore(open.since().plus(DcgmHealthWatch.WARM_UP));
    Map<String, Map<DcgmHealthSystem, Status>> gpus = new HashMap<>();
    open.engine().gpus().forEach((uuid, gpu) -> gpus.put(uuid, of(gpu, incidents, warm)));
    board.publish(gpus, now);
  }

  private static Map<DcgmHealthSystem, Status> of(
      DcgmEntity gpu, List<DcgmIncident> incidents, boolean warm) {
    Map<DcgmHealthSystem, Status> health = new EnumMap<>(DcgmHealthSystem.class);
    if (warm) {
      DcgmHealthSystem.ofGpus().forEach(system -> health.put(system, Status.PASS));
    }
    for (DcgmIncident incident : incidents) {
      if (incident.entity().equals(gpu) || incident.entity().equals(DcgmEntity.NODE)) {
        health.merge(
            system(incident), new Status(incident.result(), incident.code()), Status::worse);
      }
    }
    return health;
  }

  /** DCGM 4.6 has no health system for IMEX: it reports its service under NVLink, by its code. */
  private static DcgmHealthSystem system(DcgmIncident incident) {
    return incident.code() == DcgmErrors.IMEX_UNHEALTHY ? DcgmHealthSystem.IMEX : incident.system();
  }

  /** Ends the watches: otherwise an engine may continue to sample for a disconnected client. */
  @Override
  public void close() {
    end();
    board.unavailable(ActivityBoard.OFF);
  }

  private void end() {
    Session open = session;
    if (open != null) {
      session = null;
      open.engine().opened().engine().close();
    }
    context.driver().release().leave(this);
  }
}
