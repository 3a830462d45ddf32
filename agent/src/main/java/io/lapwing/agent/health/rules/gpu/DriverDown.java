package io.lapwing.agent.health.rules.gpu;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.StateEscalation;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;

/** A driver that is not loaded, or whose version differs from its library's. */
final class DriverDown implements HealthRule {

  private static final String NOT_LOADED = "driver_not_loaded";
  private static final String MISMATCH = "lib_rm_version_mismatch";

  private static final Disposition ONCE_IDLE =
      Disposition.failing(Action.REBOOT_NODE, Urgency.JOB_END);

  /** A driver that is built for the running kernel at the boot takes minutes. */
  private static final Duration BUILDING = Duration.ofMinutes(10);

  private static final Duration RELOAD = Duration.ofMinutes(1);
  private static final String MAY_BE_BUILT =
      "The machine has just booted, and the driver may still be installed or built; until it answers the state of the GPUs is unknown.";
  private static final String MAY_BE_LOADED =
      "The driver may be being loaded; until it answers the state of the GPUs is unknown.";
  private static final String UPGRADED =
      "Running work keeps the library that it started with and may finish; nothing new starts until a reboot loads the installed driver into the kernel.";
  private static final String UNKNOWN_CAUSE =
      "A machine without GPUs may have the library too. Set --health.expected-gpus=0 if this one has none.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("driver_down")
        .about("The driver does not answer on a machine with GPUs.")
        .why("No work can start without the driver; a reboot loads the installed one.")
        .document("NVML, nvmlReturn_t")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .startsAs(Disposition.unknown(), RELOAD)
        .closeAfter(Duration.ofSeconds(10))
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.driver() instanceof DriverStatus.Down down && mayHaveGpus(view)
        ? List.of(detection(down, view, policy))
        : List.of();
  }

  private static boolean mayHaveGpus(NodeSnapshot view) {
    return !view.gpus().isEmpty() || GpuCount.expected(view.node()).orElse(1) > 0;
  }

  private static boolean hasJustBooted(NodeSnapshot view) {
    return view.history()
        .lastBoot()
        .filter(boot -> view.now().isBefore(boot.plus(BUILDING)))
        .isPresent();
  }

  private static Detection detection(DriverStatus.Down down, NodeSnapshot view, RulePolicy policy) {
    OptionalInt expected = GpuCount.expected(view.node());
    Detection detection = policy.detection(Subject.NODE, what(down), GpuMetrics.DRIVER_UP);
    if (view.gpus().isEmpty() && expected.isEmpty()) {
      return detection.withForm(Disposition.unknown(), UNKNOWN_CAUSE);
    }
    if (down.reason().equals(MISMATCH)) {
      return detection.withForm(ONCE_IDLE, UPGRADED);
    }
    return hasJustBooted(view)
        ? detection.withForm(Disposition.unknown(), MAY_BE_BUILT)
        : new StateEscalation(view.history(), view.now())
            .of(detection.withGrace(policy.spec(), MAY_BE_LOADED));
  }

  private static String what(DriverStatus.Down down) {
    if (down.reason().equals(NOT_LOADED)) {
      return "the driver is not loaded";
    }
    return down.reason().equals(MISMATCH)
        ? "the driver in the kernel is not the installed version"
        : "the driver does not answer: " + down.why();
  }
}
