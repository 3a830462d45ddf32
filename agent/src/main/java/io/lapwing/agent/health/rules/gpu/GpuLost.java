package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.DriverStatus.SilentGpu;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A GPU that refuses calls, or is no longer counted. */
public final class GpuLost implements HealthRule {

  /** {@code NVML_ERROR_RESET_REQUIRED}. */
  private static final String RESET_REQUIRED = "reset_required";

  /** {@code NVML_ERROR_GPU_IS_LOST}. */
  private static final String OFF_THE_BUS = "gpu_is_lost";

  /** The GPU system processor, through which the driver reaches the GPU, does not respond. */
  private static final Set<Integer> GSP = Set.of(119, 120);

  private static final Disposition RESET = Disposition.failing(Action.RESET_GPU, Urgency.NOW);

  private static final String RESET_IS_ENOUGH =
      "NVML reports that the GPU must be reset before it works again.";

  private static final String NEVER_READ =
      "The agent has never read the GPU, so its state is unknown; the reason is NVML's.";

  private static final String GSP_IS_DEAD =
      "The driver cannot reach the GPU's system processor (XID 119 or 120); a reset restarts it.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_lost")
        .about("A GPU that was present no longer answers, or one that the driver counts never did.")
        .why(
            "A GPU that fell off the bus comes back after a reboot or never; one that is lost again needs a replacement.")
        .document(
            "NVIDIA XID catalogue, 79; NVML, nvmlReturn_t; AWS SageMaker HyperPod, health monitoring agent")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .escalates()
        .openAfter(Duration.ofSeconds(5))
        .closeAfter(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    if (!(view.driver() instanceof DriverStatus.Up)) {
      return List.of(); // The driver is the finding then; the GPUs cannot be distinguished.
    }
    List<Event.GpuLost> before = neverSeenAgain(view).toList();
    return Stream.of(
            view.gpus().stream().filter(GpuStatus::lost).map(gpu -> now(gpu, view, policy)),
            before.stream().map(lost -> before(lost, policy)),
            neverAnswered(view, before.size(), policy).stream())
        .flatMap(Function.identity())
        .toList();
  }

  /** GPUs that were lost before the agent's first start are the node's; {@code known} have one. */
  private static Optional<Detection> neverAnswered(
      NodeSnapshot view, int known, RulePolicy policy) {
    List<SilentGpu> silent = SilentGpus.of(view, gpu -> !gpu.hangs());
    if (silent.size() <= known) {
      return Optional.empty();
    }
    String reasons =
        silent.stream().map(SilentGpu::reason).distinct().collect(Collectors.joining(", "));
    Detection detection =
        policy.detection(
            Subject.NODE,
            "the driver counts "
                + SilentGpus.text(silent)
                + ", without an answer since the agent started ("
                + reasons
                + ")",
            GpuMetrics.COUNT);
    boolean lost = silent.stream().anyMatch(gpu -> gpu.reason().equals(OFF_THE_BUS));
    return Optional.of(lost ? detection : detection.withForm(Disposition.unknown(), NEVER_READ));
  }

  private static Detection now(GpuStatus gpu, NodeSnapshot view, RulePolicy policy) {
    Optional<Event.GpuLost> lost = lost(gpu.uuid(), view);
    Detection detection =
        policy.detection(
            gpu.subject(), what(gpu.state()) + lost.map(GpuLost::reason).orElse(""), GpuMetrics.UP);
    Detection dated =
        lost.map(event -> detection.withTimes(event.at(), view.now(), 1)).orElse(detection);
    if (gpu.state() != PartStatus.State.DOWN) {
      return dated;
    }
    if (lost.filter(GpuLost::requiresReset).isPresent()) {
      return dated.withForm(RESET, RESET_IS_ENOUGH);
    }
    return lost.filter(GpuLost::isOffTheBus).isEmpty() && isGspDead(gpu.uuid(), view)
        ? dated.withForm(RESET, GSP_IS_DEAD)
        : dated;
  }

  /** Whether the XID was reported after the GPU's last reset. */
  private static boolean isGspDead(String gpu, NodeSnapshot view) {
    Optional<Instant> reset = view.history().lastReset(gpu);
    return view.history()
        .last(Event.Xid.class, xid -> xid.gpu().equals(gpu) && GSP.contains(xid.number()))
        .filter(xid -> after(xid, reset))
        .isPresent();
  }

  private static Detection before(Event.GpuLost lost, RulePolicy policy) {
    return policy
        .detection(
            new Subject.Gpu(lost.gpu()),
            "was lost and has not been seen since" + reason(lost),
            GpuMetrics.UP)
        .withTimes(lost.at(), lost.at(), 1);
  }

  private static String what(PartStatus.State state) {
    return state == PartStatus.State.GONE ? "the driver no longer counts it" : "no longer answers";
  }

  private static String reason(Event.GpuLost lost) {
    return lost.reason().isEmpty() ? "" : " (" + lost.reason() + ")";
  }

  private static boolean isOffTheBus(Event.GpuLost lost) {
    return lost.reason().equals(OFF_THE_BUS);
  }

  private static boolean requiresReset(Event.GpuLost lost) {
    return lost.reason().equals(RESET_REQUIRED);
  }

  /** GPUs that were lost before the agent started and have not been read since. */
  private static Stream<Event.GpuLost> neverSeenAgain(NodeSnapshot view) {
    return view.history().of(Event.GpuLost.class, lost -> view.gpu(lost.gpu()).isEmpty()).stream()
        .map(Event.GpuLost::gpu)
        .distinct()
        .flatMap(gpu -> lost(gpu, view).stream());
  }

  /** How the GPU was lost, unless it returned. After a boot the machine may be another one. */
  private static Optional<Event.GpuLost> lost(String gpu, NodeSnapshot view) {
    Optional<Instant> returned =
        view.history()
            .last(Event.GpuReturned.class, event -> event.gpu().equals(gpu))
            .map(Event::at);
    return view.history()
        .last(Event.GpuLost.class, event -> event.gpu().equals(gpu))
        .filter(lost -> after(lost, returned) && after(lost, view.history().lastBoot()));
  }

  private static boolean after(Event event, Optional<Instant> moment) {
    return moment.isEmpty() || event.at().isAfter(moment.get());
  }
}
