package io.lapwing.drain.intake;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.intake.Json.Unusable;
import io.lapwing.drain.intake.NodeResolver.Found;
import io.lapwing.drain.intake.NodeResolver.NotFound;
import io.lapwing.drain.intake.NodeResolver.Resolution;
import io.lapwing.drain.request.Request;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes requests of alerts. The meaning of labels is in {@code docs/alerting.md}: {@code instance}
 * and {@code cluster} name the node, {@code action} what it needs, {@code confirmed} and {@code
 * test} what nothing may act on; {@code urgency} is optional. An alert is only a hint: the agent is
 * queried before any action.
 */
public final class AlertIntake {

  /** In {@code affects}: {@code gpu-17, i-0abc; jobs: 4711}. */
  private static final Pattern INSTANCE_ID = Pattern.compile("\\bi-[0-9a-f]{8,17}\\b");

  private final RequestIntake requests;
  private final NodeResolver nodes;
  private final Set<String> clusters;
  private final Urgency urgency;
  private final FiringAlerts firing;

  /**
   * @param clusters names of those that are served; all if empty
   * @param urgency of alerts that have none
   * @param firing learns which alerts fire, those without an action too
   */
  public AlertIntake(
      RequestIntake requests,
      NodeResolver nodes,
      Set<String> clusters,
      Urgency urgency,
      FiringAlerts firing) {
    this.requests = requests;
    this.nodes = nodes;
    this.clusters = Set.copyOf(clusters);
    this.urgency = urgency;
    this.firing = firing;
  }

  /** Handles all alerts of a message, counts and logs them. */
  public Intake take(AlertMessage message, Channel channel, Instant now) {
    return take(message, channel, now, now);
  }

  /** As {@link #take(AlertMessage, Channel, Instant)}, of a message that waited in a queue. */
  public Intake take(AlertMessage message, Channel channel, Instant sent, Instant now) {
    List<Outcome> outcomes = new ArrayList<>(message.unusable());
    requests.together(
        () -> message.alerts().forEach(alert -> outcomes.add(take(alert, channel, sent, now))));
    if (message.truncated() > 0) {
      outcomes.add(
          new Outcome(
              Result.REST_UNKNOWN,
              message.truncated() + " alerts were left out; set max_alerts: 0 in Alertmanager"));
    }
    if (outcomes.isEmpty()) {
      outcomes.add(new Outcome(Result.MALFORMED, "alerts: empty"));
    }
    return report(channel, new Intake(outcomes));
  }

  /** Counts and logs what became of a message. */
  public Intake report(Channel channel, Intake intake) {
    return requests.report(channel, intake);
  }

  private Outcome take(Alert alert, Channel channel, Instant sent, Instant now) {
    try {
      String name = alert.label("alertname").orElseThrow(() -> missing(alert, "alertname"));
      String shown = Words.plain(name, 100);
      boolean ours = clusters.isEmpty() || clusters.contains(alert.label("cluster").orElse(""));
      if (ours && firing.take(name, alert, sent, now) && alert.label("action").isEmpty()) {
        return outcome(Result.MILD, alert, "nothing is done while it fires");
      }
      Remedy remedy = remedy(alert);
      if (!remedy.takesNode()) {
        return outcome(Result.MILD, alert, remedy.word() + " needs no node");
      }
      if (alert.label("confirmed").equals(Optional.of("0"))) {
        return outcome(Result.UNCONFIRMED, alert, "NVML has not confirmed it");
      }
      if (!ours) {
        String cluster = alert.label("cluster").orElse("\"\"");
        return outcome(Result.OTHER_CLUSTER, alert, "of cluster " + cluster);
      }
      if (alert.resolved()) {
        return outcome(Result.RESOLVED, alert, "resolved, which does not mean repaired");
      }
      return requests.take(request(alert, shown, remedy, channel), now);
    } catch (Unusable e) {
      return e.outcome();
    }
  }

  private Request request(Alert alert, String name, Remedy remedy, Channel channel)
      throws Unusable {
    String text = alert.annotation("description").or(() -> alert.annotation("summary")).orElse("");
    return new Request(
        alert.key(),
        node(alert),
        remedy,
        urgency(alert),
        Words.plain(alert.label("rule").orElse(name), 100),
        text.isEmpty() ? name : Words.plain(text, 500),
        channel.word(),
        alert.startsAt(),
        alert.label("test").equals(Optional.of("1")));
  }

  private Remedy remedy(Alert alert) throws Unusable {
    String word = alert.label("action").orElseThrow(() -> missing(alert, "action"));
    return Remedy.parse(word)
        .orElseThrow(() -> unusable(Result.MALFORMED, alert, "labels.action: not an action"));
  }

  private Urgency urgency(Alert alert) throws Unusable {
    Optional<String> word = alert.label("urgency").or(() -> alert.annotation("urgency"));
    return word.isEmpty()
        ? urgency
        : Urgency.parse(word.get().toLowerCase(Locale.ROOT))
            .orElseThrow(() -> unusable(Result.MALFORMED, alert, "urgency: not an urgency"));
  }

  /** By its name; or by its instance id, where the scheduler has another name for it. */
  private NodeName node(Alert alert) throws Unusable {
    String label = alert.label("instance").orElseThrow(() -> missing(alert, "instance"));
    Resolution resolution = nodes.resolve(label);
    if (resolution instanceof Found found) {
      return found.node();
    }
    Matcher id = INSTANCE_ID.matcher(alert.annotation("affects").orElse(""));
    if (id.find() && nodes.resolve(id.group()) instanceof Found found) {
      return found.node();
    }
    if (resolution instanceof NotFound not) {
      throw unusable(Result.UNKNOWN_NODE, alert, "labels.instance: " + not.why());
    }
    throw unusable(
        Result.NODES_UNKNOWN, alert, "labels.instance: the scheduler has not answered yet");
  }

  private static Unusable missing(Alert alert, String label) {
    return unusable(Result.MALFORMED, alert, "labels." + label + ": missing");
  }

  private static Unusable unusable(Result result, Alert alert, String what) {
    return new Unusable(result, shown(alert) + ": " + what);
  }

  private static Outcome outcome(Result result, Alert alert, String what) {
    return new Outcome(result, shown(alert) + ": " + Words.plain(what, 200));
  }

  private static String shown(Alert alert) {
    return Words.plain(alert.label("alertname").orElse("alert"), 100)
        + " "
        + alert.fingerprint()
        + alert.label("instance").map(node -> " on " + Words.plain(node, 80)).orElse("");
  }
}
