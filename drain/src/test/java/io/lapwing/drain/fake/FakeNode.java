package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;

/** The true state of a node of {@link FakeCluster}. */
public final class FakeNode {

  final NodeName name;
  final Set<String> groups;
  final String domain;
  Service service = Service.IN_SERVICE;
  String reason = "";

  /** The remedy for its fault; NONE if it is healthy. */
  Remedy needs = Remedy.NONE;

  /** Of the findings of its agent. */
  Set<String> rules = Set.of();

  public Urgency urgency = Urgency.JOB_END;

  /** Whether the agent answers. */
  boolean answers = true;

  /** Whether the agent is in a maintenance: its verdict permits nothing. */
  boolean maintained;

  boolean optedOut;

  /** Whether neither its scheduler nor its agent answers. */
  boolean unreachable;

  /** GPUs that the agent sees. */
  int gpus = 8;

  /** Whether its scheduler knows the id of its boot, as Kubernetes does, in place of the time. */
  boolean byBootId;

  /** The reason that is left of our marks. */
  String leftOver = "";

  /** How often it was registered again. */
  int registrations;

  /** Whether it is powered down. */
  boolean absent;

  /** About other programs. */
  List<String> mayAct = List.of();

  /** Pods without GPUs, and those of them that were evicted. */
  final Set<String> pods = new TreeSet<>();

  final Set<String> endingPods = new TreeSet<>();

  String serial = "";
  String heldBy = "";

  /** The id of its instance, where its scheduler has a wrong one. */
  Optional<String> listedAs = Optional.empty();

  int boots;
  int instance;
  Instant booted = Instant.EPOCH;

  /** A repair under way, and when it is done. */
  Optional<Remedy> repair = Optional.empty();

  Instant repaired = Instant.EPOCH;

  /** When the GPUs are released, and until when. */
  Instant released = Instant.MAX;

  Instant releasedUntil = Instant.MIN;

  FakeNode(NodeName name, String group, String domain) {
    this.name = name;
    this.groups = Set.of(group);
    this.domain = domain;
  }

  /** Returns whether something changed. */
  boolean advance(Instant now) {
    if (repair.isEmpty() || now.isBefore(repaired)) {
      return false;
    }
    Remedy done = repair.get();
    repair = Optional.empty();
    if (done.compareTo(Remedy.REBOOT_NODE) >= 0) {
      boots++;
      booted = now;
      releasedUntil = Instant.MIN;
    }
    if (done == Remedy.REPLACE_NODE) {
      instance++;
    }
    if (done.compareTo(needs) >= 0) {
      needs = Remedy.NONE;
    }
    return true;
  }

  boolean released(Instant now) {
    return !now.isBefore(released) && now.isBefore(releasedUntil);
  }

  NodeState state() {
    return new NodeState(
        name,
        service,
        reason,
        "",
        groups,
        repair.isEmpty() && !unreachable,
        listedAs.orElse(instanceId()),
        byBootId ? Optional.empty() : Optional.of(booted),
        8,
        new More(
            optedOut ? Set.of("lapwing-drain-off") : Set.of(),
            domain,
            "p5.48xlarge",
            serial,
            heldBy,
            byBootId ? "boot-" + boots : "",
            leftOver,
            mayAct,
            "registration-" + registrations,
            absent));
  }

  NodeHealth health(Instant now) {
    boolean sick = needs != Remedy.NONE;
    return new NodeHealth(
        verdict(now),
        needs,
        now,
        false,
        "boot-" + boots,
        instanceId(),
        sick ? "needs " + needs.word() : "",
        OptionalInt.of(gpus),
        sick ? rules : Set.of(),
        urgency,
        Set.of());
  }

  private Verdict verdict(Instant now) {
    if (maintained) {
      return Verdict.MAINTENANCE;
    }
    if (released(now)) {
      return Verdict.UNKNOWN;
    }
    return needs == Remedy.NONE ? Verdict.HEALTHY : Verdict.FAILING;
  }

  String instanceId() {
    return "i-" + name + "-" + instance;
  }
}
