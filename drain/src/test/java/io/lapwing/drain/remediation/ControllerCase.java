package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.fake.FakeCluster;
import io.lapwing.drain.fake.FakeNode;
import io.lapwing.drain.fake.MemoryJournal;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.journal.Journal.Entry;
import io.lapwing.drain.policy.Mode;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.policy.Verb;
import io.lapwing.drain.request.Request;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** A controller beside a cluster in memory and in virtual time, and what its tests do and see. */
abstract class ControllerCase {

  static final Duration ROUND = Duration.ofSeconds(30);
  static final Policy POLICY = Policy.DEFAULT.all(Mode.ACT);

  final FakeCluster cluster = new FakeCluster(100, POLICY);
  final MemoryJournal journal = new MemoryJournal();
  Optional<String> stopped = Optional.empty();
  SiteTest.Result test = SiteTest.PASSED;
  Controller controller = start(POLICY);

  Controller start(Policy policy) {
    return new Controller(policy, cluster.ports((node, attempt) -> test, () -> stopped), journal);
  }

  void request(FakeNode node, Remedy remedy, Urgency urgency, String rule) {
    Request request =
        new Request(
            "key", cluster.name(node), remedy, urgency, rule, "an alert", "am", cluster.now, false);
    try {
      assertThat(controller.request(request, cluster.now)).isEmpty();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  Request byPerson(FakeNode node, Remedy remedy, Urgency urgency) {
    return new Request(
        "key", cluster.name(node), remedy, urgency, "", "ada", "operator", cluster.now, false);
  }

  /** Breaks a node and asks for what it needs. */
  FakeNode sick(int index, Remedy remedy, Urgency urgency, String rule) {
    FakeNode node = cluster.node(index);
    cluster.breaks(node, remedy);
    request(node, remedy, urgency, rule);
    return node;
  }

  void rounds(Duration time) {
    try {
      for (int i = 0; i < time.dividedBy(ROUND); i++) {
        cluster.advance(ROUND);
        controller.round(cluster.now);
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    assertThat(cluster.violations).isEmpty();
  }

  /** The verbs of the commands so far. */
  List<String> verbs() {
    return cluster.commands.stream()
        .map(command -> command.substring(0, command.indexOf(' ')))
        .toList();
  }

  Controller.Waiting waiting(FakeNode node) {
    return Objects.requireNonNull(controller.waiting().get(cluster.name(node)));
  }

  Remediation last(FakeNode node) {
    List<Entry> entries = new ArrayList<>(journal.entries());
    entries.removeIf(entry -> !entry.state().node().equals(cluster.name(node)));
    return entries.get(entries.size() - 1).state();
  }

  void requestSince(FakeNode node, Instant since) throws IOException {
    assertThat(controller.request(alert(node, since), cluster.now)).isEmpty();
  }

  Request alert(FakeNode node, Instant since) {
    return new Request(
        "key",
        cluster.name(node),
        Remedy.REBOOT_NODE,
        Urgency.NOW,
        "xid_79",
        "an alert",
        "am",
        since,
        false);
  }

  static Policy with(Verb verb, Mode mode) {
    Map<Verb, Mode> modes = new EnumMap<>(POLICY.modes());
    modes.put(verb, mode);
    return with(modes);
  }

  static Policy with(Map<Verb, Mode> modes) {
    return new Policy(
        modes,
        POLICY.budget(),
        POLICY.freshness(),
        POLICY.healthyFor(),
        POLICY.jobsLeaveWithin(),
        POLICY.repairWithin(),
        false,
        POLICY.waits(),
        POLICY.guard(),
        POLICY.ladder());
  }

  void roundsUntil(FakeNode node, Phase phase) {
    for (int i = 0; i < 600 && last(node).phase() != phase; i++) {
      rounds(ROUND);
    }
    assertThat(last(node).phase()).isEqualTo(phase);
  }
}
