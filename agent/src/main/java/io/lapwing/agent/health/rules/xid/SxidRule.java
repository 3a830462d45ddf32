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
import io.lapwing.agent.health.Threshold;
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

  private static final RuleSpec SPEC =
      new RuleSpec(
          NAME,
          "SXids of the NVSwitches in the kernel log; non-fatal ones do not change the verdict.",
          "A fatal SXid stops traffic through the switch until all GPUs and switches are reset, which a reboot does.",
          "NVIDIA Fabric Manager User Guide, NVSwitch errors",
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Disposition.failing(Action.REBOOT_NODE, Urgency.NOW),
          Duration.ZERO,
          Duration.ZERO,
          List.of(
              new Threshold(
                  ESCALATION,
                  7,
                  0,
                  90,
                  "days",
                  "The same SXid within this time after the reboot that it demanded demands a replacement."),
              new Threshold(QUIET, 1, 0.01, 720, "hours", "How long a non-fatal SXid is shown.")));

  public SxidRule() {}

  @Override
  public RuleSpec spec() {
    return SPEC;
  }

  @Override
  public List<Detection> judge(NodeSnapshot view, RulePolicy policy) {
    Duration escalation = Duration.ofMinutes((long) (policy.threshold(ESCALATION) * 24 * 60));
    Duration quiet = Duration.ofSeconds((long) (policy.threshold(QUIET) * 3_600));
    Map<String, Incident> episodes = new TreeMap<>();
    Map<String, Event.SXid> last = new TreeMap<>();
    Remediations acts = new Remediations();
    for (Event event : view.history().events()) {
      if (event instanceof Event.SXid sxid) {
        String key = sxid.device() + " " + sxid.number();
        Incident episode = episodes.computeIfAbsent(key, unseen -> new Incident(escalation));
        silence(episode, quiet, sxid.at());
        episode.came(sxid.at(), sxid.times(), sxid.fatal() ? policy.call() : Disposition.info());
        last.put(key, sxid);
      } else {
        acts.of(event, "")
            .ifPresent(act -> episodes.values().forEach(one -> one.act(act, event.at())));
        if (event instanceof Event.OperatorCleared cleared) {
          episodes.forEach((key, episode) -> clear(cleared, last.get(key), episode));
        }
      }
    }
    List<Detection> symptoms = new ArrayList<>();
    episodes.forEach(
        (key, episode) -> {
          silence(episode, quiet, view.now());
          Event.SXid sxid = last.get(key);
          if (episode.open() && sxid != null) {
            symptoms.add(symptom(sxid, episode));
          }
        });
    return symptoms;
  }

  private static void silence(Incident episode, Duration quiet, Instant at) {
    if (episode.open()
        && !XidRule.lasting(episode.call())
        && episode.last().plus(quiet).isBefore(at)) {
      episode.forget();
    }
  }

  private static void clear(
      Event.OperatorCleared cleared, Event.@Nullable SXid sxid, Incident episode) {
    if (sxid != null
        && (cleared.rule().isEmpty() || cleared.rule().equals("sxid_" + sxid.number()))
        && (cleared.subject().isEmpty()
            || cleared.subject().equals(new Subject.NvSwitch(sxid.device()).text()))) {
      episode.forget();
    }
  }

  private static Detection symptom(Event.SXid sxid, Incident episode) {
    return new Detection(
        "sxid_" + sxid.number(),
        new Subject.NvSwitch(sxid.device()),
        episode.call(),
        "SXid " + sxid.number() + ", " + sxid.message(),
        SPEC.why(),
        SPEC.document(),
        Optional.of(episode.first()),
        Optional.of(episode.last()),
        episode.times(),
        List.of("kernel log"));
  }
}
