package io.lapwing.drain.replay;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.Repairs;
import io.lapwing.drain.cluster.RepairsByRemedy;
import io.lapwing.drain.health.GpuRelease;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.jobs.Prices;
import io.lapwing.drain.remediation.Controller;
import io.lapwing.drain.remediation.EvidenceStore;
import io.lapwing.drain.remediation.Phase;
import io.lapwing.drain.remediation.Ports;
import io.lapwing.drain.remediation.Remediation;
import io.lapwing.drain.remediation.SiteTest;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;

/** Plays a record through the controller in virtual time. */
public final class Replay {

  /** Between two rounds; the finest that the answer resolves. */
  private static final Duration STEP = Duration.ofSeconds(30);

  /** The same while all that is open waits for people. */
  private static final Duration LONG_STEP = Duration.ofMinutes(10);

  /** As the intake: what still fires after that is handled again. */
  private static final Duration REPEATED = Duration.ofHours(1);

  private final Recording recording;
  private final Trial trial;
  private final ReplayedCluster cluster;
  private final Tally tally = new Tally();
  private final Controller controller;
  private final PriorityQueue<Ask> asks = new PriorityQueue<>(Comparator.comparing(Ask::at));

  private record Ask(Instant at, Finding finding) {}

  private Replay(Recording recording, Assumed assumed, Trial trial) {
    this.recording = recording;
    this.trial = trial;
    this.cluster = new ReplayedCluster(recording, assumed, trial);
    this.controller = new Controller(trial.policy(), ports(), tally);
    for (Finding finding : recording.asks()) {
      Instant at = finding.takesNodeAt().orElseThrow();
      asks.add(new Ask(at.isBefore(recording.from()) ? recording.from() : at, finding));
    }
  }

  /** The actions that the policy would have taken. */
  public static Outcome run(Recording recording, Assumed assumed, Trial trial) {
    try {
      return new Replay(recording, assumed, trial).run();
    } catch (IOException e) {
      throw new UncheckedIOException("the journal of a replay failed", e);
    }
  }

  private Ports ports() {
    Map<Remedy, Repairs> drivers = new EnumMap<>(Remedy.class);
    trial.repaired().forEach(remedy -> drivers.put(remedy, cluster));
    RepairsByRemedy repairs = new RepairsByRemedy(drivers);
    return new Ports(
        cluster,
        new ReplayedRepairs(repairs, cluster),
        cluster,
        cluster,
        GpuRelease.BY_DRIVER,
        state -> new EvidenceStore.NotSaved("a replay"),
        SiteTest.NO_TEST,
        cluster,
        Prices.NONE,
        Optional::empty,
        Set::of);
  }

  private Outcome run() throws IOException {
    for (Optional<Instant> next = next(recording.from()); next.isPresent(); ) {
      Instant now = next.get();
      cluster.advance(now, forPeople());
      while (!asks.isEmpty() && !asks.peek().at().isAfter(now)) {
        ask(asks.remove().finding(), now);
      }
      controller.round(now);
      tally.observe(controller);
      next = next(now);
    }
    cluster.advance(recording.until(), forPeople());
    return Outcome.of(recording, trial.name(), tally, cluster);
  }

  /** A node that was just handed over has nothing to wait for before the next round. */
  private Set<NodeName> forPeople() {
    Set<NodeName> nodes = new HashSet<>();
    controller
        .waiting()
        .forEach(
            (node, waiting) -> {
              if (waiting.person()) {
                nodes.add(node);
              }
            });
    controller.open().values().stream()
        .filter(one -> one.phase() == Phase.HANDED_OVER)
        .forEach(one -> nodes.add(one.node()));
    return nodes;
  }

  /** Empty at the end of the record. */
  private Optional<Instant> next(Instant now) {
    Collection<Remediation> open = controller.open().values();
    Optional<Instant> ask = Optional.ofNullable(asks.peek()).map(Ask::at);
    Optional<Instant> round =
        open.isEmpty()
            ? Optional.empty()
            : Optional.of(now.plus(open.stream().allMatch(Replay::waits) ? LONG_STEP : STEP));
    return ask.filter(at -> round.map(at::isBefore).orElse(true))
        .or(() -> round)
        .filter(at -> at.isBefore(recording.until()));
  }

  private static boolean waits(Remediation open) {
    return open.phase() == Phase.HANDED_OVER && open.seen().healthySince().isEmpty();
  }

  private void ask(Finding finding, Instant now) throws IOException {
    if (!finding.openAt(now)) {
      return;
    }
    asks.add(new Ask(now.plus(REPEATED), finding));
    NodeName node = finding.node();
    if (cluster.node(node).asks(finding, now)) {
      Request request =
          new Request(
              node + "/" + finding.rule() + "/" + finding.subject() + "/" + finding.from(),
              node,
              finding.demand(now).remedy(),
              finding.urgency().orElse(trial.urgency()),
              finding.rule(),
              finding.what(),
              "the record",
              finding.from(),
              false);
      Optional<String> unused = controller.request(request, now);
    }
  }
}
