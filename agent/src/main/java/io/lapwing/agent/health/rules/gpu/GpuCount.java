package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The driver counts fewer GPUs than the node should have. */
final class GpuCount implements HealthRule {

  private static final String NO_LIBRARY =
      "Without the driver's library the state of the GPUs is unknown.";
  private static final Duration COMING_UP = Duration.ofSeconds(30);
  private static final String MAY_COME_UP =
      "The driver may still be bringing up its GPUs; until then the state of the node is unknown.";
  private static final String NONE_ANSWERS = "No GPU can be read, so their state is unknown.";
  private static final String MORE = "Nothing is missing; check the expected number of GPUs.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("gpu_count")
        .about("The driver counts fewer GPUs than the machine should have.")
        .why(
            "A GPU that did not come up with the driver often does after a reboot, which is also what AWS does on a mismatch.")
        .document("AWS SageMaker HyperPod, health monitoring agent; nvmlDeviceGetCount_v2")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .startsAs(Disposition.unknown(), COMING_UP)
        .escalates()
        .closeAfter(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    OptionalInt expected = expected(view.node());
    if (expected.isEmpty()) {
      return List.of();
    }
    if (view.driver() instanceof DriverStatus.Up up) {
      return !view.gpus().isEmpty() && view.gpus().stream().noneMatch(GpuStatus::answers)
          ? List.of(silent(view, policy))
          : counted(up.gpus(), expected.getAsInt(), view, policy);
    }
    return view.driver() instanceof DriverStatus.Absent absent && expected.getAsInt() > 0
        ? unseen(absent, expected.getAsInt(), view.node(), policy)
        : List.of();
  }

  /** The operator's setting or the instance type; without either, the GPUs on the PCI bus. */
  static OptionalInt expected(NodeFacts node) {
    return node.gpusThatShouldBeThere();
  }

  private static List<Detection> counted(
      int gpus, int expected, NodeSnapshot view, RulePolicy policy) {
    NodeFacts node = view.node();
    if (gpus < expected) {
      return List.of(missing(gpus, expected, view, policy).withGrace(policy.spec(), MAY_COME_UP));
    }
    return gpus > expected && node.expectedGpus().isPresent()
        ? List.of(
            detection(
                    policy,
                    "the driver counts %s, %s expected"
                        .formatted(RuleText.count(gpus, "GPU"), expected))
                .withForm(Disposition.info(), MORE))
        : List.of();
  }

  private static Detection missing(int gpus, int expected, NodeSnapshot view, RulePolicy policy) {
    String what = "the driver counts " + gpus + " of " + expectedText(expected, view.node());
    String failed = failedToStart(view.history());
    return failed.isEmpty()
        ? detection(policy, what)
        : policy.detection(
            Subject.NODE,
            what + "; the kernel log says why for " + failed,
            GpuMetrics.COUNT.name(),
            "kernel log");
  }

  /** {@code 0000:53:00: RmInitAdapter failed! (0x62:0x40:2477)}, since the last boot. */
  private static String failedToStart(History history) {
    Map<String, String> failed = new TreeMap<>();
    for (Event event : history.events()) {
      if (event instanceof Event.Booted || event instanceof Event.DriverLoaded) {
        failed.clear();
      } else if (event instanceof Event.GpuInitFailed init) {
        failed.put(init.pci(), init.message());
      }
    }
    return failed.entrySet().stream()
        .map(one -> one.getKey() + ": " + one.getValue())
        .collect(Collectors.joining(", "));
  }

  private static Detection silent(NodeSnapshot view, RulePolicy policy) {
    return detection(
            policy, "none of the " + RuleText.count(view.gpus().size(), "GPU") + " answers")
        .withForm(Disposition.unknown(), NONE_ANSWERS);
  }

  private static List<Detection> unseen(
      DriverStatus.Absent absent, int expected, NodeFacts node, RulePolicy policy) {
    return List.of(
        detection(
                policy, "none of " + expectedText(expected, node) + " can be read: " + absent.why())
            .withForm(Disposition.unknown(), NO_LIBRARY));
  }

  private static String expectedText(int expected, NodeFacts node) {
    if (node.expectedGpus().isEmpty()) {
      return RuleText.count(expected, "GPU") + " on the PCI bus";
    }
    String onBus =
        node.pciGpus().isPresent() ? " (" + node.pciGpus().getAsInt() + " on the PCI bus)" : "";
    return expected + " expected GPU" + (expected == 1 ? "" : "s") + onBus;
  }

  private static Detection detection(RulePolicy policy, String what) {
    return policy.detection(Subject.NODE, what, GpuMetrics.COUNT);
  }
}
