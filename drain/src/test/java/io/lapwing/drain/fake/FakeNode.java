package io.lapwing.drain.fake;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** A node of {@link FakeCluster}: what is true of it. */
public final class FakeNode {

  final NodeName name;
  final String group;
  Service service = Service.IN_SERVICE;
  String reason = "";

  /** What would heal it; NONE if it is well. */
  Remedy needs = Remedy.NONE;

  /** Whether the agent answers. */
  boolean answers = true;

  int boots;
  int instance;
  Instant booted = Instant.EPOCH;

  /** A repair under way, and when it is done. */
  Optional<Remedy> repair = Optional.empty();

  Instant repaired = Instant.EPOCH;

  FakeNode(NodeName name, String group) {
    this.name = name;
    this.group = group;
  }

  void advance(Instant now) {
    if (repair.isEmpty() || now.isBefore(repaired)) {
      return;
    }
    Remedy done = repair.get();
    repair = Optional.empty();
    if (done.compareTo(Remedy.REBOOT_NODE) >= 0) {
      boots++;
      booted = now;
    }
    if (done == Remedy.REPLACE_NODE) {
      instance++;
    }
    if (done.compareTo(needs) >= 0) {
      needs = Remedy.NONE;
    }
  }

  NodeState state() {
    return new NodeState(
        name,
        service,
        reason,
        "",
        Set.of(group),
        repair.isEmpty(),
        instanceId(),
        Optional.of(booted),
        8);
  }

  NodeHealth health(Instant now) {
    boolean sick = needs != Remedy.NONE;
    return new NodeHealth(
        sick ? Verdict.FAILING : Verdict.HEALTHY,
        needs,
        now,
        false,
        "boot-" + boots,
        instanceId(),
        sick ? "needs " + needs.word() : "");
  }

  private String instanceId() {
    return name + "-i" + instance;
  }
}
