package io.lapwing.agent.health.rules.xid;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** NVSwitch faults from the kernel log: fatal ones stop the fabric until a reboot. */
public final class SxidRule implements HealthRule {

  public static final String NAME = "sxid";

  private static final String ESCALATION = "escalation_days";
  private static final String QUIET = "non_fatal_hours";

  public SxidRule() {}

  @Override
  public RuleSpec spec() {
    return RuleSpec.named(NAME)
        .about(
            "SXids of the NVSwitches in the kernel log; non-fatal ones do not change the verdict.")
        .why(
            "A fatal SXid stops traffic through the switch until all GPUs and switches are reset, which a reboot does.")
        .document("NVIDIA Fabric Manager User Guide, NVSwitch errors")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .threshold(ESCALATION, 7, 0, 90, "days")
        .meaning(
            "The same SXid within this time after the reboot that it demanded demands a replacement.")
        .threshold(QUIET, 1, 0.01, 720, "hours")
        .meaning("How long a non-fatal SXid is shown.")
        .build();
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Duration escalation = Duration.ofMinutes((long) (policy.threshold(ESCALATION) * 24 * 60));
    Duration quiet = Duration.ofSeconds((long) (policy.threshold(QUIET) * 3_600));
    Map<String, Incident> incidents = new TreeMap<>();
    Map<String, Event.SXid> last = new TreeMap<>();
    Remediations remediations = new Remediations();
    for (Event event : view.history().events()) {
      if (event instanceof Event.SXid sxid) {
        String key = sxid.device() + " " + sxid.number();
        Incident incident = incidents.computeIfAbsent(key, unseen -> new Incident(escalation));
        silence(incident, quiet, sxid.at());
        incident.occurred(
            sxid.at(), sxid.times(), sxid.fatal() ? policy.disposition() : Disposition.info());
        last.put(key, sxid);
      } else {
        remediations
            .of(event, "")
            .ifPresent(act -> incidents.values().forEach(one -> one.remediate(act, event.at())));
        if (event instanceof Event.OperatorCleared cleared) {
          incidents.forEach((key, incident) -> clear(cleared, last.get(key), incident));
        }
      }
    }
    List<Detection> detections = new ArrayList<>();
    incidents.forEach(
        (key, incident) -> {
          silence(incident, quiet, view.now());
          Event.SXid sxid = last.get(key);
          if (incident.open() && sxid != null) {
            detections.add(detection(sxid, incident, policy));
          }
        });
    return detections;
  }

  private static void silence(Incident incident, Duration quiet, Instant at) {
    if (incident.open()
        && !XidRule.lasting(incident.disposition())
        && incident.last().plus(quiet).isBefore(at)) {
      incident.close();
    }
  }

  private static void clear(
      Event.OperatorCleared cleared, Event.@Nullable SXid sxid, Incident incident) {
    if (sxid != null
        && (cleared.rule().isEmpty() || cleared.rule().equals("sxid_" + sxid.number()))
        && (cleared.subject().isEmpty()
            || cleared.subject().equals(new Subject.NvSwitch(sxid.device()).text()))) {
      incident.close();
    }
  }

  private static Detection detection(Event.SXid sxid, Incident incident, RulePolicy policy) {
    return new Detection(
        "sxid_" + sxid.number(),
        new Subject.NvSwitch(sxid.device()),
        incident.disposition(),
        "SXid " + sxid.number() + ", " + sxid.message(),
        policy.spec().why(),
        policy.spec().document(),
        Optional.of(incident.first()),
        Optional.of(incident.last()),
        incident.times(),
        List.of("kernel log"));
  }
}
