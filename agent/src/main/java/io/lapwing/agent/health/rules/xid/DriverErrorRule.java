package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.xid.KernelFact;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One kind of error that the driver logs without an XID. As with an XID, the finding ends when its
 * action was done, and escalates if the error recurs.
 */
public final class DriverErrorRule implements HealthRule {

  private static final String ESCALATION = "escalation_days";
  private static final String QUIET = "watch_hours";

  /** An XID of the GPU system processor has the same meaning, and a finding of its own. */
  private static final Set<Integer> GSP = Set.of(119, 120);

  private final RuleSpec spec;
  private final Class<? extends Event> kind;

  /** The start of the finding's text, with a place for the PCI address. */
  private final String start;

  private DriverErrorRule(RuleSpec.Builder spec, Class<? extends Event> kind, String start) {
    this.spec =
        spec.threshold(ESCALATION, 7, 0, 90, "days")
            .meaning(
                "The same error within this time after the reset or reboot that it demanded escalates.")
            .threshold(QUIET, 24, 0.01, 2_160, "hours")
            .meaning(
                "An error that demands no reset, reboot or replacement is closed after this long without another.")
            .build();
    this.kind = kind;
    this.start = start;
  }

  public static List<HealthRule> all() {
    return List.of(
        new DriverErrorRule(
            RuleSpec.named("gpu_init_failed")
                .about("The driver could not initialize a GPU, and the GPU does not answer.")
                .why(
                    "No program can use the GPU. It often comes up after a reboot, which is also what AWS does if GPUs are missing.")
                .document(
                    "NVIDIA open kernel modules, RmInitAdapter in osinit.c; AWS SageMaker HyperPod, health monitoring agent")
                .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW)),
            Event.GpuInitFailed.class,
            "the driver could not initialize the GPU at %s: "),
        new DriverErrorRule(
            RuleSpec.named("gsp_errors_suppressed")
                .about(
                    "The GPU system processor failed so often that the driver stopped logging each error, and no XID 119 or 120 was read.")
                .why(
                    "The driver expects that the GPU has to be reset. It has the meaning of XID 119: the GPU system processor did not answer in time.")
                .document("NVIDIA open kernel modules, rpc.c; NVIDIA XID catalogue, 119")
                .disposition(Disposition.failing(Action.RESET_GPU, Urgency.NOW)),
            Event.GspErrorsSuppressed.class,
            "the GPU system processor fails: "),
        new DriverErrorRule(
            RuleSpec.named("nvlink_training_failed")
                .about("The driver could not train NVLinks; its message does not name the GPU.")
                .why(
                    "Links that are not trained carry no traffic: peer-to-peer traffic is slower or fails. Compare the active links of the GPUs.")
                .document("NVIDIA open kernel modules, kernel_nvlink.c")
                .disposition(Disposition.WATCH),
            Event.NvlinkTrainingFailed.class,
            "NVLinks were not trained: "));
  }

  /** The rule of a message; empty if it is no such error. */
  public static Optional<String> nameFor(KernelFact fact) {
    if (fact instanceof KernelFact.InitFailed) {
      return Optional.of("gpu_init_failed");
    }
    if (fact instanceof KernelFact.GspErrorsSuppressed) {
      return Optional.of("gsp_errors_suppressed");
    }
    return fact instanceof KernelFact.NvlinkTrainingFailed
        ? Optional.of("nvlink_training_failed")
        : Optional.empty();
  }

  @Override
  public RuleSpec spec() {
    return spec;
  }

  /** The events are known, whether or not the GPU can be read. */
  @Override
  public boolean canEvaluate(Subject gpu, NodeSnapshot view) {
    return true;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Map<String, OnOneGpu> gpus = new TreeMap<>();
    for (Event event : view.history().events()) {
      if (kind.isInstance(event) && event instanceof Event.DriverError error) {
        gpus.computeIfAbsent(name(error), name -> new OnOneGpu(name, policy));
      }
    }
    List<Detection> detections = new ArrayList<>();
    for (OnOneGpu gpu : gpus.values()) {
      view.history().events().forEach(gpu::add);
      gpu.detection(view).ifPresent(detections::add);
    }
    return detections;
  }

  /** By UUID, or by PCI address if the UUID is unknown; empty if the driver names no GPU. */
  private static String name(Event.DriverError event) {
    return event.gpu().isEmpty() ? event.pci() : event.gpu();
  }

  /** The errors and remediations of one GPU, in the order of the log. */
  private final class OnOneGpu {

    private final String gpu;
    private final Subject subject;
    private final RulePolicy policy;
    private final Duration quiet;
    private final Incident incident;
    private final Remediations remediations = new Remediations();
    private Optional<Event.DriverError> first = Optional.empty();

    /** An XID since the last remediation has the finding. */
    private boolean covered;

    OnOneGpu(String gpu, RulePolicy policy) {
      this.gpu = gpu;
      this.subject = gpu.isEmpty() ? Subject.NODE : new Subject.Gpu(gpu);
      this.policy = policy;
      this.quiet = Duration.ofSeconds((long) (policy.threshold(QUIET) * 3_600));
      this.incident =
          new Incident(Duration.ofMinutes((long) (policy.threshold(ESCALATION) * 24 * 60)));
    }

    void add(Event event) {
      if (kind.isInstance(event)
          && event instanceof Event.DriverError error
          && name(error).equals(gpu)) {
        occurred(error);
      } else if (event instanceof Event.Xid xid) {
        covered |= isGspError() && GSP.contains(xid.number()) && XidRule.name(xid).equals(gpu);
      } else if (event instanceof Event.OperatorCleared cleared
          && cleared.covers(spec.name(), subject.text())) {
        incident.close();
      } else {
        remediations.of(event, gpu).ifPresent(done -> remediated(done, event));
      }
    }

    private boolean isGspError() {
      return kind.equals(Event.GspErrorsSuppressed.class);
    }

    private void occurred(Event.DriverError event) {
      silence(event.at());
      first = incident.open() ? first : Optional.of(event);
      incident.occurred(event.at(), event.times(), policy.disposition());
    }

    private void silence(Instant at) {
      if (incident.open()
          && !XidRule.lasting(incident.disposition())
          && incident.last().plus(quiet).isBefore(at)) {
        incident.close();
      }
    }

    private void remediated(Action done, Event event) {
      covered = false;
      if (XidRule.lasting(policy.disposition())) {
        incident.remediate(done, event.at());
      } else {
        // The driver initializes the GPU, and trains its links, again.
        incident.close();
      }
    }

    Optional<Detection> detection(NodeSnapshot view) {
      silence(view.now());
      return incident.open() && !covered && !cameUp(view)
          ? first.map(this::detection)
          : Optional.empty();
    }

    /** A later attempt of the driver may succeed. */
    private boolean cameUp(NodeSnapshot view) {
      return kind.equals(Event.GpuInitFailed.class)
          && view.gpus().stream().filter(GpuStatus::answers).anyMatch(this::isThis);
    }

    private boolean isThis(GpuStatus status) {
      return status.uuid().equals(gpu) || status.pci().equals(gpu);
    }

    private Detection detection(Event.DriverError event) {
      String what = start.formatted(event.pci()) + event.message();
      return policy
          .detection(subject, what, "kernel log")
          .withDisposition(incident.disposition(), spec.why())
          .withTimes(incident.first(), incident.last(), incident.times());
    }
  }
}
