package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.intake.Words;
import io.lapwing.drain.replay.Finding.Demand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** The history of a node, from its events. */
final class NodeHistory {

  private final NodeName node;
  private final Map<String, Open> open = new LinkedHashMap<>();
  private final List<Open> findings = new ArrayList<>();
  private final List<Repair> repairs = new ArrayList<>();
  private final Set<String> gpus = new HashSet<>();
  private final List<Span> maintenance = new ArrayList<>();
  private Optional<Span> inMaintenance = Optional.empty();
  private Optional<Instant> first = Optional.empty();
  private Optional<Instant> last = Optional.empty();

  NodeHistory(NodeName node) {
    this.node = node;
  }

  private record Repair(Instant at, Remedy remedy) {}

  /** A finding, while its events are read. */
  private static final class Open {
    private final String rule;
    private final String subject;
    private final String what;
    private final List<Demand> demands = new ArrayList<>();
    private Optional<Instant> to = Optional.empty();
    private boolean confirmed = true;

    Open(String rule, String subject, String what) {
      this.rule = rule;
      this.subject = subject;
      this.what = what;
    }
  }

  boolean isEmpty() {
    return last.isEmpty();
  }

  /** The log has what happened then. */
  void covers(Instant at) {
    first = Optional.of(first.filter(at::isAfter).orElse(at));
    last = Optional.of(last.filter(at::isBefore).orElse(at));
  }

  Instant last() {
    return last.orElseThrow();
  }

  void take(String kind, EventFields event) throws UnreadableRecord {
    Instant at = event.time("at");
    switch (kind) {
      case "finding_opened" -> opened(event, at);
      case "finding_escalated" -> escalated(event, at);
      case "finding_closed" -> closed(event, at);
      case "finding_confirmation" -> confirmed(event);
      case "gpu_reset" -> repairs.add(new Repair(at, Remedy.RESET_GPU));
      case "booted" -> repairs.add(new Repair(at, Remedy.REBOOT_NODE));
      case "machine_replaced" -> repairs.add(new Repair(at, Remedy.REPLACE_NODE));
      case "gpu_identified" -> gpus.add(event.text("gpu"));
      case "gpu_removed" -> gpus.remove(event.text("gpu"));
      case "maintenance_started" -> {
        endMaintenance(at);
        inMaintenance = Optional.of(new Span(at, event.time("until")));
      }
      default -> endMaintenance(at);
    }
  }

  private static String key(EventFields event) throws UnreadableRecord {
    return event.text("rule") + " " + event.text("subject");
  }

  private void opened(EventFields event, Instant at) throws UnreadableRecord {
    Open one =
        new Open(
            Words.plain(event.text("rule"), 100),
            Words.plain(event.text("subject"), 200),
            Words.plain(event.textOr("what", ""), 300));
    Open before = open.put(key(event), one);
    if (before != null) {
      before.to = Optional.of(at);
    }
    one.demands.add(demand(event, at));
    findings.add(one);
  }

  private static Demand demand(EventFields event, Instant at) throws UnreadableRecord {
    Remedy remedy = event.remedy();
    return switch (event.text("severity")) {
      case "failing" -> new Demand(at, true, remedy);
      case "degraded", "unknown" -> new Demand(at, false, remedy);
      // As the controller reads an agent's findings: they require no action.
      case "info" -> new Demand(at, false, Remedy.NONE);
      default -> throw event.wrong("severity", "not a severity");
    };
  }

  private void escalated(EventFields event, Instant at) throws UnreadableRecord {
    Open one = open.get(key(event));
    Demand demand = demand(event, at);
    if (one == null) {
      opened(event, at);
    } else {
      one.demands.add(demand);
    }
  }

  private void closed(EventFields event, Instant at) throws UnreadableRecord {
    Open one = open.remove(key(event));
    if (one != null) {
      one.to = Optional.of(at);
    }
  }

  private void confirmed(EventFields event) throws UnreadableRecord {
    Open one = open.get(key(event));
    if (one != null) {
      one.confirmed = event.flag("confirmed");
    }
  }

  private void endMaintenance(Instant at) {
    inMaintenance.ifPresent(
        span -> maintenance.add(new Span(span.start(), span.end().isBefore(at) ? span.end() : at)));
    inMaintenance = Optional.empty();
  }

  /** Findings that were over before the log begins are left out. */
  RecordedNode node() {
    Instant from = first.orElseThrow();
    List<Span> spans = new ArrayList<>(maintenance);
    inMaintenance.ifPresent(spans::add);
    return new RecordedNode(
        node,
        from,
        gpus.isEmpty() ? OptionalInt.empty() : OptionalInt.of(gpus.size()),
        findings.stream()
            .filter(one -> one.confirmed && one.to.map(from::isBefore).orElse(true))
            .map(this::finding)
            .toList(),
        spans,
        true);
  }

  /** Findings that NVML did not confirm: nothing may act on them. */
  long unconfirmed() {
    return findings.stream().filter(one -> !one.confirmed).count();
  }

  private Finding finding(Open one) {
    Instant from = one.demands.get(0).at();
    Optional<Remedy> closedBy =
        one.to.flatMap(
            to ->
                repairs.stream()
                    .filter(repair -> !repair.at().isBefore(from) && !repair.at().isAfter(to))
                    .map(Repair::remedy)
                    .reduce(Remedy::orStronger));
    return new Finding(
        node, one.rule, one.subject, one.what, Optional.empty(), one.demands, one.to, closedBy);
  }
}
