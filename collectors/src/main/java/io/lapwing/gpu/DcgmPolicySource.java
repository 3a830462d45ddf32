package io.lapwing.gpu;

import io.lapwing.collect.Access;
import io.lapwing.collect.Cadence;
import io.lapwing.collect.Collector;
import io.lapwing.collect.FixedSource;
import io.lapwing.collect.Reading;
import io.lapwing.collect.SampleSink;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmPolicies;
import io.lapwing.dcgm.DcgmPolicyCondition;
import io.lapwing.metric.Labels;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Violations of the policies that an administrator set in DCGM's host engine. Nothing is registered
 * while no GPU has a policy. A connection and a thread of its own: an engine that hangs affects
 * only these series, and registration is repeated with the next connection.
 *
 * <pre>
 * lapwing_gpu_dcgm_policy_violations_total{gpu="3",UUID="GPU-...",condition="THERMAL"} 2
 * </pre>
 */
public final class DcgmPolicySource extends FixedSource {

  public static final String COLLECTOR = "dcgm_policy";

  /** The engine does not support policies: counts as none set. */
  private static final Set<String> WITHOUT = Set.of("module_not_loaded", "not_supported");

  private final HostEngineAccess access;
  private final GpuContext context;

  /** The counts of earlier connections. */
  private final Map<Condition, Long> earlier = new HashMap<>();

  private final Map<Labels, GpuLabels> labels = new HashMap<>();

  private @Nullable Session session;
  private Map<DcgmEntity, Set<DcgmPolicyCondition>> set = Map.of();
  private boolean registered;
  private boolean seen;

  private record Condition(String uuid, DcgmPolicyCondition condition) {}

  private record Session(HostEngineSession engine, DcgmPolicies policies, Set<String> unlisted) {}

  public DcgmPolicySource(HostEngineAccess access, GpuContext context) {
    super(COLLECTOR, COLLECTOR);
    add(COLLECTOR, Cadence.SLOW, this::collect);
    this.access = access;
    this.context = context;
  }

  @Override
  public Access begin(List<Collector> due) {
    GpuRelease release = context.driver().release();
    Optional<String> released = release.why();
    if (released.isPresent()) {
      end();
      return new Access.Down(GpuRelease.REASON, released.get());
    }
    Session open = session;
    if (open != null
        && (access.isSecond(open.engine().opened())
            || !open.unlisted().containsAll(open.engine().unlisted(context.roster())))) {
      end();
      open = null;
    }
    return open == null ? open(release) : read(open);
  }

  private Access open(GpuRelease release) {
    HostEngineSession.Found found = HostEngineSession.open(access, seen, release, this);
    if (found instanceof HostEngineSession.Refused refused) {
      return refused.access();
    }
    seen = true;
    HostEngineSession engine = ((HostEngineSession.Open) found).session();
    Reading<DcgmPolicies> policies =
        engine.opened().engine().policies(List.copyOf(engine.gpus().values()));
    if (policies instanceof Reading.Present<DcgmPolicies> present) {
      Session open = new Session(engine, present.value(), engine.unlisted(context.roster()));
      session = open;
      return read(open);
    }
    engine.opened().engine().close();
    return refused(engine, policies);
  }

  private Access read(Session open) {
    Reading<Map<DcgmEntity, Set<DcgmPolicyCondition>>> answer = open.policies().set();
    if (!(answer instanceof Reading.Present<Map<DcgmEntity, Set<DcgmPolicyCondition>>> present)) {
      return refused(open.engine(), answer);
    }
    set = present.value();
    boolean any = set.values().stream().anyMatch(conditions -> !conditions.isEmpty());
    if (any && !registered) {
      Reading<Boolean> done = open.policies().register();
      if (!(done instanceof Reading.Present)) {
        return refused(open.engine(), done);
      }
      registered = true;
    } else if (!any && registered) {
      end(); // the engine samples for a policy until the connection ends
    }
    return Access.READY;
  }

  /** The next round connects again. */
  private Access refused(HostEngineSession engine, Reading<?> answer) {
    end();
    String reason = answer.failure().orElse("not_supported");
    String why = "policies of the host engine " + engine.opened().where() + ": " + reason;
    return WITHOUT.contains(reason) ? new Access.NothingHere(why) : new Access.Down(reason, why);
  }

  private void collect(SampleSink sink) {
    Session open = session;
    if (open == null) {
      return;
    }
    for (GpuRoster.Known known : context.roster().all()) {
      DcgmEntity gpu = open.engine().gpus().get(known.identity().uuid());
      if (gpu != null) {
        collect(open.policies(), gpu, known, sink);
      }
    }
  }

  private void collect(
      DcgmPolicies policies, DcgmEntity gpu, GpuRoster.Known known, SampleSink sink) {
    String uuid = known.identity().uuid();
    for (DcgmPolicyCondition condition : set.getOrDefault(gpu, Set.of())) {
      long count =
          earlier.getOrDefault(new Condition(uuid, condition), 0L)
              + policies.violations(gpu, condition);
      sink.add(HostEngineMetrics.POLICY_VIOLATIONS, labels(known, condition), (double) count);
    }
  }

  private Labels labels(GpuRoster.Known known, DcgmPolicyCondition condition) {
    return labels
        .computeIfAbsent(known.own(), unseen -> new GpuLabels(known.foreign(), known.own()))
        .of(HostEngineMetrics.POLICY_VIOLATIONS, List.of(condition.name()));
  }

  @Override
  public void close() {
    end();
  }

  private void end() {
    Session open = session;
    if (open != null) {
      session = null;
      registered = false;
      set = Map.of();
      open.engine().opened().engine().close();
      open.engine().gpus().forEach((uuid, gpu) -> keep(open.policies(), uuid, gpu));
    }
    context.driver().release().leave(this);
  }

  private void keep(DcgmPolicies policies, String uuid, DcgmEntity gpu) {
    for (DcgmPolicyCondition condition : DcgmPolicyCondition.values()) {
      long count = policies.violations(gpu, condition);
      if (count > 0) {
        earlier.merge(new Condition(uuid, condition), count, Long::sum);
      }
    }
  }
}
