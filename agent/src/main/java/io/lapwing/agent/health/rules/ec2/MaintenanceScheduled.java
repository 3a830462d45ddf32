package io.lapwing.agent.health.rules.ec2;

import io.lapwing.agent.health.Action;
import io.lapwing.agent.health.Detection;
import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.RulePolicy;
import io.lapwing.agent.health.RuleSpec;
import io.lapwing.agent.health.Subject;
import io.lapwing.agent.health.Urgency;
import io.lapwing.agent.health.Values;
import io.lapwing.node.NodeMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/**
 * EC2 has scheduled an event. As mild as possible: EC2 announces events days ahead. A stop or
 * retirement ends this machine, so it should be replaced once idle; other events change the verdict
 * only on the last day, when they would interrupt a job that starts now.
 */
final class MaintenanceScheduled implements Ec2Rule {

  private static final String NEAR = "near_seconds";

  private static final Disposition REPLACE =
      Disposition.degraded(Action.REPLACE_NODE, Urgency.JOB_END);
  private static final Disposition REBOOT =
      Disposition.degraded(Action.REBOOT_NODE, Urgency.JOB_END);

  @Override
  public RuleSpec spec() {
    return RuleSpec.named("maintenance_scheduled")
        .about("EC2 has scheduled a stop, a reboot or maintenance of this instance.")
        .why(
            "EC2 takes this machine away at that time, with running work and the content of its local disks; it can be replaced before.")
        .document("Amazon EC2 user guide, Scheduled events for Amazon EC2 instances")
        .disposition(REPLACE)
        .closeAfter(Duration.ofMinutes(1))
        .threshold(NEAR, 86_400, 0, 30 * 86_400, "seconds")
        .meaning(
            "How long before its start an event that the instance survives changes the verdict; Lapwing's own choice.")
        .needs(NodeMetrics.MAINTENANCE_EVENTS)
        .reads(NodeMetrics.MAINTENANCE_EVENT, NodeMetrics.MAINTENANCE_NOT_BEFORE)
        .build();
  }

  /** One detection for all events: the most severe one gives the action, all are named. */
  @Override
  public Optional<Detection> evaluate(Values metadata, NodeSnapshot view, RulePolicy policy) {
    List<ScheduledEvent> all = ScheduledEvent.all(metadata);
    Instant near = view.now().plusSeconds((long) policy.threshold(NEAR));
    return all.stream()
        .map(event -> form(event, near, policy.spec().why()))
        .max(
            Comparator.comparing((Form form) -> form.disposition().severity())
                .thenComparing(form -> form.disposition().action()))
        .map(form -> detection(all, policy).withForm(form.disposition(), form.why()));
  }

  private static Detection detection(List<ScheduledEvent> all, RulePolicy policy) {
    return policy.detection(
        Subject.NODE,
        "EC2 has scheduled "
            + all.stream().map(ScheduledEvent::words).collect(Collectors.joining(", ")),
        NodeMetrics.MAINTENANCE_EVENT);
  }

  private record Form(Disposition disposition, String why) {}

  /** The form of an event; {@code stop} is why a stopped instance is to be replaced. */
  private static Form form(ScheduledEvent event, Instant near, String stop) {
    Form form = form(event.code(), stop);
    boolean soon = event.notBefore().map(at -> !at.isAfter(near)).orElse(true);
    return soon || form.disposition().equals(REPLACE)
        ? form
        : new Form(Disposition.info(), "It is not near yet. " + form.why());
  }

  private static Form form(String code, String stop) {
    return switch (code) {
      case "instance-retirement", "instance-stop" -> new Form(REPLACE, stop);
      case "instance-reboot" ->
          new Form(REBOOT, "Rebooting the instance yourself before that time completes the event.");
      case "system-reboot" ->
          new Form(
              Disposition.WATCH,
              "The host is rebooted with the instance; rebooting the instance yourself does not replace it. Only stop and start move it to another host, without the content of its local disks.");
      case "system-maintenance" ->
          new Form(
              Disposition.WATCH,
              "Network or power may be interrupted for a while; no job should run then.");
      default -> new Form(Disposition.WATCH, "This kind of event is unknown to Lapwing.");
    };
  }

  /** An event that EC2 has scheduled; texts and times are empty if EC2 gives none. */
  private record ScheduledEvent(String id, String code, Optional<Instant> notBefore) {

    static List<ScheduledEvent> all(Values metadata) {
      List<ScheduledEvent> all = new ArrayList<>();
      for (List<String> labels : metadata.all(NodeMetrics.MAINTENANCE_EVENT).keySet()) {
        String id = labels.get(0);
        String code = labels.get(1);
        all.add(
            new ScheduledEvent(
                id, code, instant(metadata.get(NodeMetrics.MAINTENANCE_NOT_BEFORE, id, code))));
      }
      all.sort(
          Comparator.comparing((ScheduledEvent one) -> one.notBefore().orElse(Instant.MIN))
              .thenComparing(ScheduledEvent::code)
              .thenComparing(ScheduledEvent::id));
      return all;
    }

    static Optional<Instant> instant(OptionalDouble seconds) {
      return seconds.isPresent()
          ? Optional.of(Instant.ofEpochSecond((long) seconds.getAsDouble()))
          : Optional.empty();
    }

    /** {@code system-reboot not before 2026-03-01T12:00:00Z (instance-event-0d5...)}. */
    String words() {
      return code
          + notBefore.map(at -> " not before " + at).orElse(" at an unknown time")
          + (id.isEmpty() ? "" : " (" + id + ")");
    }
  }
}
