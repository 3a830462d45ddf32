package io.lapwing.drain.remediation;

import io.lapwing.drain.cluster.CommandResult.NotPossible;
import io.lapwing.drain.cluster.CommandResult.Refused;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * A random storm over a cluster in virtual time: single and correlated faults, flapping nodes,
 * alerts that are wrong, late, repeated or missing, a scheduler that fails, answers that are lost,
 * people and other programs that interfere, a controller killed at any entry of its journal. Then
 * all is calm until nothing is left to do.
 */
final class Storm {

  private static final List<Remedy> REMEDIES =
      List.of(Remedy.RESET_GPU, Remedy.REBOOT_NODE, Remedy.REPLACE_NODE);
  private static final List<Urgency> URGENCIES = List.of(Urgency.values());
  private static final List<Alertmanager> ALERTMANAGERS = List.of(Alertmanager.values());
  private static final Duration ROUND = Duration.ofSeconds(30);
  private static final int CALM_ROUNDS = 20_000;
  private static final Policy POLICY =
      Policy.DEFAULT
          .all(Mode.ACT)
          .within(
              new Budget(
                  8,
                  0.1,
                  0.2,
                  3,
                  2,
                  12,
                  3,
                  Duration.ofSeconds(45),
                  4,
                  Duration.ofMinutes(10),
                  Duration.ofMinutes(30)));

  private final Random random;
  private final int size;
  private final FakeCluster cluster;
  private final MemoryJournal journal = new MemoryJournal();
  private final Map<FakeNode, String> rules = new HashMap<>();

  /** By node and rule. */
  private final Map<String, Instant> began = new HashMap<>();

  private final Deque<Request> late = new ArrayDeque<>();
  private final SystemicOracle systemic = new SystemicOracle(POLICY.budget());
  private final List<FakeNode> flapping = new ArrayList<>();
  private Alertmanager alertmanager = Alertmanager.WORKS;
  private Controller controller;
  private int jobsStarted;
  private int kills;
  private int rounds;

  /** How the alerts come. */
  private enum Alertmanager {
    WORKS,
    IS_LATE,
    IS_DOWN,
    LIES
  }

  /** What came of a storm. */
  record Report(
      List<String> violations, int unfinished, int kills, int rounds, List<String> commands) {}

  Storm(long seed, int size) {
    this.random = new Random(seed);
    this.size = size;
    this.cluster = new FakeCluster(size, POLICY);
    this.cluster.handedOver =
        node -> {
          Remediation open = controller().open().get(cluster.name(node));
          return open != null && open.phase() == Phase.HANDED_OVER;
        };
    this.journal.listener = this::decided;
    this.controller = start();
  }

  private Controller controller() {
    return controller;
  }

  private Controller start() {
    return new Controller(POLICY, cluster.ports(), journal);
  }

  Report run(int stormRounds) {
    for (int i = 0; i < 2; i++) {
      flapping.add(any());
    }
    for (int round = 0; round < stormRounds && cluster.violations.isEmpty(); round++) {
      disturb();
      report();
      if (random.nextBoolean()) { // Begun by a request.
        round(now -> controller.roundOfRequested(() -> now));
      }
      round();
    }
    calm();
    int unfinished =
        controller.open().size()
            + cluster.held().size()
            + cluster.leftOver().size()
            + cluster.sick().size();
    return new Report(cluster.violations, unfinished, kills, rounds, cluster.commands);
  }

  private void disturb() {
    cluster.schedulerDown = random.nextInt(20) == 0;
    cluster.answersLost = random.nextInt(5) == 0;
    cluster.busy = random.nextInt(8) == 0;
    cluster.repairsAnswer =
        switch (random.nextInt(8)) {
          case 0 -> new Refused("no right to do that");
          case 1 -> new NotPossible("not with this node");
          default -> null;
        };
    cluster.jobsLeaveLate = random.nextInt(3) == 0;
    cluster.watchMissesJobs = random.nextInt(4) == 0;
    if (random.nextInt(40) == 0) {
      alertmanager = ALERTMANAGERS.get(random.nextInt(ALERTMANAGERS.size()));
    }
    for (FakeNode node : flapping) {
      if (random.nextInt(3) == 0) {
        flap(node);
      }
    }
    FakeNode node = any();
    switch (random.nextInt(32)) {
      case 0, 1, 2 -> breaks(node, remedy(), "xid_" + random.nextInt(40));
      case 3 -> cluster.heals(anySickOr(node));
      case 4, 5 -> runs(1);
      case 6, 7 -> runs(2 + random.nextInt(12));
      case 8 -> cluster.answers(anySickOr(node), random.nextBoolean());
      case 9 -> person(anySickOr(node));
      case 10 -> journal.killAfter(1 + random.nextInt(6), random.nextBoolean());
      case 11 -> correlated();
      case 12 -> cluster.optsOut(anySickOr(node), random.nextBoolean());
      case 13 -> cluster.heldBy(anySickOr(node), random.nextBoolean() ? "EKS node repair" : "");
      case 14 -> gangFault();
      case 15, 16 -> cluster.pods(anySickOr(node), "ml/web");
      case 17 -> cluster.podsBlocked = random.nextBoolean();
      default -> {}
    }
  }

  private void flap(FakeNode node) {
    if (cluster.sick().contains(cluster.name(node))) {
      cluster.heals(node);
    } else {
      breaks(node, Remedy.RESET_GPU, "flapping");
    }
  }

  private void breaks(FakeNode node, Remedy remedy, String rule) {
    rules.put(node, rule);
    began.put(cluster.name(node) + rule, cluster.now);
    cluster.breaks(node, remedy);
  }

  /** A driver or a rule that is wrong everywhere. */
  private void correlated() {
    for (int i = 0; i < 3 + random.nextInt(10); i++) {
      breaks(any(), Remedy.REBOOT_NODE, "driver");
    }
  }

  /** Neighbours, as in a rack or an NVLink domain, or nodes of one job. */
  private void gangFault() {
    List<Job> jobs = cluster.jobsNow();
    if (jobs.isEmpty() || random.nextBoolean()) {
      int first = random.nextInt(size - 6);
      for (int i = 0; i < 6; i++) {
        breaks(cluster.node(first + i), Remedy.REBOOT_NODE, "rack_" + i);
      }
    } else {
      Job job = jobs.get(random.nextInt(jobs.size()));
      job.nodes().stream()
          .sorted()
          .limit(6)
          .forEach(node -> breaks(cluster.at(node), Remedy.REBOOT_NODE, "job_" + node));
    }
  }

  private void runs(int count) {
    int first = random.nextInt(size);
    FakeNode sick = anySickOr(cluster.node(first));
    List<FakeNode> on = new ArrayList<>(List.of(sick));
    for (int i = 0; i < count; i++) {
      on.add(cluster.node((first + 7 * i) % size));
    }
    jobsStarted++;
    // Half of them are jobs that were ended, and start again.
    String id = "job" + (random.nextBoolean() ? random.nextInt(5) : 5 + jobsStarted);
    cluster.runs(id, on, Duration.ofMinutes(random.nextInt(90)), random.nextInt(3) > 0);
  }

  private void person(FakeNode node) {
    if (cluster.service(node) == Service.IN_SERVICE) {
      cluster.person(node, Service.DRAINED, "ada: cable");
    } else if (cluster.reason(node).startsWith("lapwing-drain ") && random.nextBoolean()) {
      cluster.uncordons(node);
    } else {
      cluster.person(node, Service.IN_SERVICE, "");
    }
  }

  /** The alerts of a round. */
  private void report() {
    if (alertmanager == Alertmanager.IS_DOWN) {
      return;
    }
    if (alertmanager == Alertmanager.LIES) {
      request(any(), remedy(), "xid_" + random.nextInt(40));
    }
    for (NodeName name : cluster.sick()) {
      if (random.nextInt(4) == 0) {
        FakeNode node = cluster.at(name);
        request(node, remedy(), rules.getOrDefault(node, "xid_0"));
      }
    }
    while (alertmanager == Alertmanager.WORKS && !late.isEmpty()) {
      send(late.remove());
    }
  }

  private void request(FakeNode node, Remedy remedy, String rule) {
    Urgency urgency = URGENCIES.get(random.nextInt(URGENCIES.size()));
    Request request =
        new Request(
            "key",
            cluster.name(node),
            remedy,
            urgency,
            rule,
            "an alert",
            "alertmanager",
            began.getOrDefault(cluster.name(node) + rule, cluster.now),
            false);
    if (alertmanager == Alertmanager.IS_LATE) {
      late.add(request);
    } else {
      send(request);
    }
  }

  private void send(Request request) {
    try {
      Optional<String> declined = controller.request(request, cluster.now);
      if (declined.isPresent()) {
        boolean permitted =
            request.rule().isEmpty()
                ? declined.get().endsWith(", and only its agent can ask for more now")
                : declined.get().startsWith("another user took the node over at ");
        if (!permitted) {
          cluster.violations.add("a request is refused: " + declined.get());
        }
        return;
      }
      systemic.requested(request.rule(), request.node(), request.since(), cluster.now);
    } catch (IOException killed) {
      restart();
    }
  }

  private void round() {
    rounds++;
    cluster.advance(ROUND);
    controller.open().keySet().forEach(name -> cluster.podsLeave(cluster.at(name)));
    round(controller::round);
  }

  private interface Round {
    void at(Instant now) throws IOException;
  }

  private void round(Round round) {
    try {
      round.at(cluster.now);
    } catch (IOException killed) {
      restart();
    }
  }

  /** In the order in which the controller decides. */
  private void decided(Entry entry) {
    Remediation one = entry.state();
    if (entry.what().startsWith("drain: ")) {
      cluster.violations.addAll(systemic.taken(one.rule(), cluster.now));
    }
    if (one.phase() == Phase.NOT_NEEDED) {
      systemic.withdrawn(one.node());
    }
  }

  private void restart() {
    kills++;
    systemic.restarted();
    controller = start();
  }

  /** No more faults from now on, and people return the nodes that they took. */
  private void calm() {
    journal.killAfter(Integer.MAX_VALUE, true);
    cluster.schedulerDown = false;
    cluster.answersLost = false;
    cluster.busy = false;
    cluster.watchMissesJobs = false;
    cluster.podsBlocked = false;
    cluster.repairsAnswer = null;
    late.clear();
    alertmanager = Alertmanager.WORKS;
    for (int i = 0; i < size; i++) {
      FakeNode node = cluster.node(i);
      cluster.answers(node, true);
      cluster.optsOut(node, false);
      cluster.heldBy(node, "");
      if (cluster.reason(node).startsWith("ada")) {
        cluster.person(node, Service.IN_SERVICE, "");
      }
    }
    for (int round = 0; round < CALM_ROUNDS && cluster.violations.isEmpty(); round++) {
      if (round % 15 == 0) {
        // Requests of people have no rule, and so are no storm.
        cluster.sick().forEach(name -> request(cluster.at(name), Remedy.REBOOT_NODE, ""));
      }
      round();
      controller.open().values().forEach(this::handedOver);
      if (controller.open().isEmpty() && cluster.sick().isEmpty()) {
        return;
      }
    }
  }

  /** A person repairs what the controller cannot, and ends pods that may not be evicted. */
  private void handedOver(Remediation one) {
    if (one.phase() == Phase.EVICTING) {
      cluster.endsPods(cluster.at(one.node()));
    }
    if (one.phase() == Phase.HANDED_OVER) {
      cluster.heals(cluster.at(one.node()));
    }
  }

  private FakeNode anySickOr(FakeNode other) {
    List<NodeName> sick = cluster.sick().stream().sorted().toList();
    return sick.isEmpty() || random.nextBoolean()
        ? other
        : cluster.at(sick.get(random.nextInt(sick.size())));
  }

  private Remedy remedy() {
    return REMEDIES.get(random.nextInt(REMEDIES.size()));
  }

  private FakeNode any() {
    return cluster.node(random.nextInt(size));
  }
}
