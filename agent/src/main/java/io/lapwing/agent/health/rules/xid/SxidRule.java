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
import io.lapwing.xid.SxidTable;
import io.lapwing.xid.SxidTable.Effect;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * NVSwitch faults from the kernel log, by {@code sxid.csv}: those that stop the fabric until a
 * reboot, and those that call for attention if they repeat.
 */
public final class SxidRule implements HealthRule {

  public static final String NAME = "sxid";

  private static final String ESCALATION = "escalation_days";
  private static final String QUIET = "non_fatal_hours";
  private static final String REPEAT = "repeat_hours";
  private static final String TIMES = "repeat_errors";
  private static final String BURST = "burst_seconds";

  /** "LTSSM Fault Up": the other end of a link does not respond. */
  private static final int LINK_FAULT = 20034;

  private static final int THERMAL_START = 10004;

  private static final String FATAL =
      "A fatal SXid stops traffic through the switch until all GPUs and switches are reset, which a reboot does.";
  private static final String STALL =
      "NVIDIA's guide: traffic of a GPU stops and later accesses hang, even if the message says Non-fatal; a reset of all GPUs and switches, which a reboot does, restores it.";
  private static final String CONNECTION =
      "It repeats on one link: NVIDIA's guide asks for a check of the link's mechanical connections.";
  private static final String HEAT =
      "The switch is hot and may run its links with a single lane until SXid 10005 reports the end.";
  private static final String HARMLESS =
      "The switch corrected it, or it does not concern the health of the node.";
  private static final String VICTIM =
      "A GPU fell off the bus (XID 79) at the same time and took its links with it; that finding has the action.";

  private final SxidTable table;

  public SxidRule(SxidTable table) {
    this.table = table;
  }

  public static RuleSpec specification() {
    return RuleSpec.named(NAME)
        .about("SXids of the NVSwitches in the kernel log, by the SXid table.")
        .why(FATAL)
        .document("NVIDIA Fabric Manager User Guide, appendix D, NVSwitch errors")
        .disposition(Disposition.failing(Action.REBOOT_NODE, Urgency.NOW))
        .threshold(ESCALATION, 7, 0, 90, "days")
        .meaning(
            "The same SXid within this time after the reboot that it demanded demands a replacement.")
        .threshold(QUIET, 1, 0.01, 720, "hours")
        .meaning("How long an SXid that demands no reboot is shown.")
        .threshold(REPEAT, 24, 0.01, 720, "hours")
        .meaning("The time in which SXids of a connection (20009, 20012) count as repeated.")
        .threshold(TIMES, 3, 2, 1_000, "errors")
        .meaning("This many SXids of a connection on one link degrade the node.")
        .threshold(BURST, 180, 1, 3_600, "seconds")
        .meaning("An SXid 20034 this close to an XID 79 is a consequence of it.")
        .build();
  }

  @Override
  public RuleSpec spec() {
    return specification();
  }

  /** One number on one switch over time. */
  private static final class Fault {
    final Incident incident;
    final Map<Integer, List<Instant>> links = new TreeMap<>();
    Event.@Nullable SXid last;
    String why = FATAL;

    Fault(Duration escalation) {
      incident = new Incident(escalation);
    }

    /** How often it occurred on this link within {@code window}; merged messages count once. */
    int repeats(Event.SXid sxid, Duration window) {
      List<Instant> times =
          links.computeIfAbsent(sxid.link().orElse(Integer.MAX_VALUE), link -> new ArrayList<>());
      times.removeIf(before -> before.plus(window).isBefore(sxid.at()));
      times.add(sxid.at());
      return times.size();
    }
  }

  @Override
  public List<Detection> evaluate(NodeSnapshot view, RulePolicy policy) {
    Duration quiet = Duration.ofSeconds((long) (policy.threshold(QUIET) * 3_600));
    Duration escalation = Duration.ofMinutes((long) (policy.threshold(ESCALATION) * 24 * 60));
    Peers peers = new Peers(view, Duration.ofSeconds((long) policy.threshold(BURST)), xid -> false);
    Map<String, Fault> faults = new TreeMap<>();
    Remediations remediations = new Remediations();
    for (Event event : view.history().events()) {
      if (event instanceof Event.SXid sxid) {
        Fault fault =
            faults.computeIfAbsent(
                sxid.device() + " " + sxid.number(), unseen -> new Fault(escalation));
        silence(fault.incident, quiet, sxid.at());
        occurred(sxid, fault, peers, policy);
        if (table.effect(sxid.number()) == Effect.THERMAL_END) {
          Optional.ofNullable(faults.get(sxid.device() + " " + THERMAL_START))
              .ifPresent(heat -> heat.incident.close());
        }
      } else {
        remediations
            .of(event, "")
            .ifPresent(
                act -> faults.values().forEach(one -> one.incident.remediate(act, event.at())));
        if (event instanceof Event.OperatorCleared cleared) {
          faults.values().forEach(fault -> clear(cleared, fault));
        }
      }
    }
    List<Detection> detections = new ArrayList<>();
    faults.values().forEach(fault -> silence(fault.incident, quiet, view.now()));
    for (Fault fault : faults.values()) {
      if (fault.incident.open() && fault.last != null) {
        detections.add(detection(fault.last, fault, policy));
      }
    }
    return detections;
  }

  /** The meaning of one SXid by itself; {@code most} is the policy's. */
  public static Disposition meaning(Effect effect, boolean fatal, Disposition most) {
    if (fatal || effect == Effect.FABRIC) {
      return most;
    }
    return effect == Effect.THERMAL_START ? Disposition.WATCH.atMost(most) : Disposition.info();
  }

  private void occurred(Event.SXid sxid, Fault fault, Peers peers, RulePolicy policy) {
    Disposition before = fault.incident.open() ? fault.incident.disposition() : Disposition.info();
    boolean again = fault.incident.open();
    String why = HARMLESS;
    Disposition meaning = Disposition.info();
    Effect effect = table.effect(sxid.number());
    if (sxid.number() == LINK_FAULT && peers.fellOffTheBus(sxid.at())) {
      why = VICTIM;
    } else if (effect == Effect.FABRIC || effect == Effect.THERMAL_START || sxid.fatal()) {
      why = sxid.fatal() ? FATAL : effect == Effect.FABRIC ? STALL : HEAT;
      meaning = meaning(effect, sxid.fatal(), policy.disposition());
    } else if (effect == Effect.REPEATED
        && fault.repeats(sxid, Duration.ofSeconds((long) (policy.threshold(REPEAT) * 3_600)))
            >= policy.threshold(TIMES)) {
      why = CONNECTION;
      meaning = Disposition.WATCH.atMost(policy.disposition());
    }
    fault.incident.occurred(sxid.at(), sxid.times(), meaning);
    boolean graver = !again || !Incident.worse(before, meaning).equals(before);
    fault.why = graver ? why : fault.why;
    fault.last = graver || fault.last == null ? sxid : fault.last;
  }

  private static void silence(Incident incident, Duration quiet, Instant at) {
    if (incident.open()
        && !XidRule.lasting(incident.disposition())
        && incident.last().plus(quiet).isBefore(at)) {
      incident.close();
    }
  }

  private static void clear(Event.OperatorCleared cleared, Fault fault) {
    Event.SXid sxid = fault.last;
    if (sxid != null
        && cleared.covers("sxid_" + sxid.number(), new Subject.NvSwitch(sxid.device()).text())) {
      fault.incident.close();
      fault.links.clear();
    }
  }

  private Detection detection(Event.SXid sxid, Fault fault, RulePolicy policy) {
    return new Detection(
        "sxid_" + sxid.number(),
        new Subject.NvSwitch(sxid.device()),
        fault.incident.disposition(),
        "SXid " + sxid.number() + ", " + sxid.message(),
        fault.why,
        policy.spec().document(),
        Optional.of(fault.incident.first()),
        Optional.of(fault.incident.last()),
        fault.incident.times(),
        List.of("kernel log"));
  }
}
