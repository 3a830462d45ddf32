package io.lapwing.agent.health.rules.efa;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.MachineChanges;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.efa.EfaMetrics;
import io.lapwing.efa.EfaSource;
import io.lapwing.metric.NaturalOrder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Missing EFA devices: fewer than expected, or than were present before. */
final class EfaCount implements EfaRule {

  private static final String NAME = "efa_count";
  private static final String ATTACHED =
      "EC2 attaches as many devices as the launch template names, which is not a fault. Set health.expected-efa-devices if the node should have more.";
  private static final String NO_DRIVER =
      "The efa driver is not loaded, so no job can use the network; install or load it.";
  private static final String NOT_ATTACHED =
      "The devices were never attached, or their driver is not loaded. If none are expected, set health.expected-efa-devices to 0.";
  private static final String MORE =
      "Nothing is missing; check the expected number of EFA devices.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named(NAME)
        .about(
            "There are fewer EFA devices than the configuration or the PCI bus has, or than there were.")
        .why(
            "A job that uses all rails fails or runs at the speed of the remaining ones; a device that disappeared usually comes back after a reboot.")
        .document(
            "AWS ParallelCluster health checks and HyperPod deep health checks count EFA devices; EC2 instance type data, MaximumEfaInterfaces")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .escalates()
        .openAfter( // Twice as long as AWS waits: on p5en devices may appear late.
            Duration.ofSeconds(30))
        .closeAfter(Duration.ofSeconds(10))
        .reads(EfaMetrics.DEVICES, EfaMetrics.UP)
        .build();
  }

  /** A count that is not read does not end the finding. */
  @Override
  public boolean canEvaluate(Subject subject, NodeSnapshot view) {
    return view.whole(EfaSource.KIND).map(all -> all.isRead(EfaMetrics.DEVICES)).orElse(true);
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    return view.whole(EfaSource.KIND)
        .filter(all -> all.isRead(EfaMetrics.DEVICES))
        .map(whole -> counted(whole, view, policy))
        .orElse(List.of());
  }

  private static List<Detection> counted(PartStatus whole, NodeSnapshot view, RulePolicy policy) {
    int devices = whole.answers() ? (int) whole.values().get(EfaMetrics.DEVICES).orElse(0) : 0;
    OptionalInt expected = view.node().expectedEfaDevices();
    List<String> gone = gone(whole);
    int before = Math.max(devices + gone.size(), before(view.history()));
    if (devices < before) {
      return List.of(detection(lost(devices, before, gone), policy));
    }
    if (devices == 0) {
      return none(view.node(), policy).map(List::of).orElse(List.of());
    }
    if (devices < expected.orElse(0)) {
      return List.of(detection(fewer(devices, expected.getAsInt(), "expected"), policy));
    }
    int onPci = view.node().pciEfaDevices().orElse(0);
    if (devices < onPci) {
      return List.of(detection(fewer(devices, onPci, "on the PCI bus"), policy));
    }
    int most = view.node().expected().map(type -> type.efaDevices().orElse(0)).orElse(0);
    if (expected.isEmpty() && devices < most) {
      return List.of(
          detection(fewer(devices, most, "that the instance type can have"), policy)
              .withForm(Disposition.info(), ATTACHED));
    }
    return devices > expected.orElse(devices)
        ? List.of(more(devices, expected.getAsInt(), policy))
        : List.of();
  }

  /** The devices that disappeared since the agent started. */
  private static List<String> gone(PartStatus whole) {
    return whole.values().all(EfaMetrics.UP).entrySet().stream()
        .filter(up -> up.getValue() == 0)
        .map(Map.Entry::getKey)
        .map(labels -> labels.get(0))
        .sorted(NaturalOrder.OF_NAMES)
        .toList();
  }

  /**
   * The most devices that this machine had. An operator's clear, and a change of the machine that
   * is seen after they were counted, leave the last number: it is logged when it changes.
   */
  private static int before(History history) {
    MachineChanges machines = new MachineChanges();
    int most = 0;
    int last = 0;
    for (Event event : history.events()) {
      if (event instanceof Event.EfaDevicesCounted counted) {
        last = counted.devices();
        most = Math.max(most, last);
      } else if (machines.isChange(event) || isCleared(event)) {
        last = event instanceof Event.Booted ? 0 : last;
        most = last;
      }
    }
    return most;
  }

  private static boolean isCleared(Event event) {
    return event instanceof Event.OperatorCleared cleared
        && cleared.covers(NAME, Subject.NODE.text());
  }

  private static String lost(int devices, int before, List<String> gone) {
    String names = gone.isEmpty() ? "" : " (" + RuleText.list(gone) + " gone)";
    return "there are %s of the %s that were there%s"
        .formatted(devices, RuleText.count(before, "EFA device"), names);
  }

  private static String fewer(int devices, int of, String which) {
    return "there are %s of the %s %s".formatted(devices, RuleText.count(of, "EFA device"), which);
  }

  private static Optional<Detection> none(NodeFacts node, RulePolicy policy) {
    int onPci = node.pciEfaDevices().orElse(0);
    if (onPci > 0) {
      return Optional.of(
          detection(
                  "none of the "
                      + RuleText.count(onPci, "EFA device")
                      + " on the PCI bus has a driver",
                  policy)
              .withForm(Disposition.WATCH, NO_DRIVER));
    }
    if (node.expectedEfaDevices().orElse(0) > 0) {
      int expected = node.expectedEfaDevices().getAsInt();
      return Optional.of(
          detection("none of " + RuleText.count(expected, "EFA device") + " is present", policy)
              .withForm(Disposition.WATCH, NOT_ATTACHED));
    }
    int most = node.expected().map(type -> type.efaDevices().orElse(0)).orElse(0);
    return node.expectedEfaDevices().isEmpty() && most > 0
        ? Optional.of(
            detection("there is no EFA device; the instance type can have " + most, policy)
                .withForm(Disposition.info(), ATTACHED))
        : Optional.empty();
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
