package io.lapwing.agent.health.rules.host;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.MachineChanges;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.host.HostMetrics;
import io.lapwing.host.PanicSource;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kernel crashed before the last boot, or did so repeatedly. */
final class KernelPanics implements HostPartRule {

  private static final String NAME = "kernel_panic";
  private static final String DAYS = "days";
  private static final String MANY = "panics";

  private static final String ONCE =
      "The crash is the reason of the last reboot. One may be chance; another one within days points to hardware or a driver.";

  @Override
  public RuleSpec spec() {
    return RuleSpec.named(NAME)
        .about(
            "The kernel crashed in the last days and firmware kept its last messages; one crash does not change the verdict.")
        .why(
            "A node whose kernel crashes repeatedly, and ends the job each time, most likely has faulty hardware.")
        .document("Linux, Documentation/ABI/testing/pstore; systemd-pstore.service(8)")
        .disposition(Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END))
        .closeAfter(Duration.ofMinutes(5))
        .threshold(DAYS, 7, 0.01, 365, "days")
        .meaning("How long a crash is shown and counted; Lapwing's own choice.")
        .threshold(MANY, 2, 1, 8, "crashes")
        .meaning("From how many on the verdict changes; Lapwing's own choice.")
        .needs(HostMetrics.PANICS)
        .reads(HostMetrics.PANIC_TIME)
        .build();
  }

  @Override
  public String kind() {
    return PanicSource.PANICS;
  }

  /** When the machine was last replaced, or the finding cleared: the records of before are kept. */
  private static Instant settled(History history) {
    MachineChanges machines = new MachineChanges();
    Instant last = Instant.EPOCH;
    for (Event event : history.events()) {
      boolean cleared =
          event instanceof Event.OperatorCleared clear && clear.covers(NAME, Subject.NODE.text());
      if (machines.isChange(event) || cleared) {
        last = event.at();
      }
    }
    return last;
  }

  @Override
  public Optional<Detection> evaluate(Values values, NodeSnapshot view, RulePolicy policy) {
    Duration shown = Duration.ofMinutes((long) (policy.threshold(DAYS) * 24 * 60));
    double oldest =
        (double)
            Math.max(
                view.now().minus(shown).getEpochSecond(), settled(view.history()).getEpochSecond());
    List<Map.Entry<List<String>, Double>> recent =
        values.all(HostMetrics.PANIC_TIME).entrySet().stream()
            .filter(one -> one.getValue() >= oldest)
            .sorted(Map.Entry.<List<String>, Double>comparingByValue(Comparator.reverseOrder()))
            .toList();
    if (recent.isEmpty()) {
      return Optional.empty();
    }
    Map.Entry<List<String>, Double> last = recent.get(0);
    Instant at = Instant.ofEpochSecond(last.getValue().longValue());
    String what =
        (recent.size() == 1 ? "1 crash" : recent.size() + " crashes")
            + " of the kernel, last at "
            + at
            + ": "
            + last.getKey().get(1)
            + " ("
            + last.getKey().get(0)
            + ")";
    Detection found = policy.detection(Subject.NODE, what, HostMetrics.PANIC_TIME);
    return Optional.of(
        recent.size() >= policy.threshold(MANY) ? found : found.withForm(Disposition.info(), ONCE));
  }
}
