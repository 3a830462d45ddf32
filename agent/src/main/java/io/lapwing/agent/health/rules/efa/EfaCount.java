package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Missing EFA devices: fewer than expected, or than were present before. */
final class EfaCount implements EfaRule {

  private static final String NOT_ATTACHED =
      "The devices were never attached, or their driver is not loaded. If none are expected, set health.expected-efa-devices to 0.";
  private static final String MORE =
      "Nothing is missing; check the expected number of EFA devices.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("efa_count")
        .about("There are fewer EFA devices than the machine should have, or than it had.")
        .why(
            "A job that uses all rails fails or runs at the speed of the remaining ones; a device that disappeared usually comes back after a reboot.")
        .document(
            "AWS ParallelCluster health checks and HyperPod deep health checks count EFA devices; EC2 instance type data, MaximumEfaInterfaces")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .openAfter( // Twice as long as AWS waits: on p5en devices may appear late.
            Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(10))
        .reads(EfaMetrics.DEVICES, EfaMetrics.UP)
        .build();
  }

  /** A count that cannot be read does not end the finding. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.whole(EfaSource.KIND).map(EfaCount::isCounted).orElse(true);
  }

  private static boolean isCounted(PartStatus whole) {
    return whole.answers() || whole.state() == PartStatus.State.NOTHING_HERE;
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.whole(EfaSource.KIND)
        .filter(EfaCount::isCounted)
        .map(whole -> counted(whole, view.node().expectedEfaDevices(), policy))
        .orElse(List.of());
  }

  private static List<Detection> counted(
      PartStatus whole, OptionalInt expected, RulePolicy policy) {
    if (!whole.answers()) {
      return expected.orElse(0) > 0 ? List.of(none(expected.getAsInt(), policy)) : List.of();
    }
    int devices = (int) whole.values().get(EfaMetrics.DEVICES).orElse(0);
    List<String> lost =
        whole.values().all(EfaMetrics.UP).entrySet().stream()
            .filter(up -> up.getValue() == 0)
            .map(Map.Entry::getKey)
            .map(labels -> labels.get(0))
            .sorted()
            .toList();
    if (devices < expected.orElse(devices + lost.size())) {
      return List.of(detection(fewer(devices, expected, lost), policy));
    }
    return devices > expected.orElse(devices)
        ? List.of(more(devices, expected.getAsInt(), policy))
        : List.of();
  }

  private static String fewer(int devices, OptionalInt expected, List<String> lost) {
    String gone = lost.isEmpty() ? "" : RuleText.list(lost) + (lost.size() == 1 ? " is" : " are");
    if (expected.isEmpty()) {
      return RuleText.count(lost.size(), "EFA device") + " that was there: " + gone + " gone";
    }
    return "there are %s of %s%s"
        .formatted(
            devices,
            RuleText.count(expected.getAsInt(), "EFA device"),
            gone.isEmpty() ? "" : " (" + gone + " gone)");
  }

  private static Detection none(int expected, RulePolicy policy) {
    return detection("none of " + RuleText.count(expected, "EFA device") + " is present", policy)
        .withForm(Disposition.WATCH, NOT_ATTACHED);
  }

  private static Detection more(int devices, int expected, RulePolicy policy) {
    return detection(
            "there are " + RuleText.count(devices, "EFA device") + ", " + expected + " expected",
            policy)
        .withForm(Disposition.info(), MORE);
  }

  private static Detection detection(String what, RulePolicy policy) {
    return policy.detection(Subject.NODE, what, EfaMetrics.DEVICES);
  }
}
