package io.lapwing.drain.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.ClusterIndex;
import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.Job;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.More;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.policy.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GuardTest {

  private static final Instant NOW = Instant.parse("2026-11-24T12:00:00Z");
  private static final Budget BUDGET = Budget.DEFAULT;

  private final Guard guard = new Guard(BUDGET);
  private final StormDetector storms = new StormDetector(BUDGET);

  private static NodeName name(int index) {
    return new NodeName("n" + index);
  }

  /** A hundred nodes in groups of ten, of which the first are out of service. */
  private static ClusterView cluster(int out) {
    List<NodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(
          new NodeState(
              name(i),
              i < out ? Service.OUT : Service.IN_SERVICE,
              "",
              "",
              Set.of("group" + i / 10),
              true,
              "",
              Optional.empty(),
              8));
    }
    return ClusterView.of(NOW, nodes, List.of());
  }

  private List<String> limits(int node, int out, Set<NodeName> held, List<Taken> taken) {
    return against(node, out, held, taken).stream().map(Objection::limit).toList();
  }

  private List<Objection> against(int node, int out, Set<NodeName> held, List<Taken> taken) {
    ClusterView view = cluster(out);
    NodeState state = view.node(name(node)).orElseThrow();
    return guard.against(state, new ClusterIndex(view), held, taken);
  }

  private static List<Taken> taken(int count, Duration ago) {
    return IntStream.range(0, count).mapToObj(i -> new Taken(name(i), NOW.minus(ago))).toList();
  }

  @Test
  void aQuietClusterHasNoObjection() {
    assertThat(limits(99, 1, Set.of(), List.of())).isEmpty();
  }

  @Test
  void eachLimitIsNamed() {
    Set<NodeName> five = Set.of(name(0), name(1), name(2), name(3), name(4));

    assertThat(limits(99, 5, five, List.of())).containsExactly("budget.nodes");
    assertThat(limits(99, 10, Set.of(), List.of())).containsExactly("budget.share");
    assertThat(limits(9, 2, Set.of(), List.of())).containsExactly("budget.group-share");
    assertThat(limits(99, 0, Set.of(), taken(10, Duration.ofMinutes(50))))
        .containsExactly("budget.per-hour");
    assertThat(limits(99, 0, Set.of(), taken(1, Duration.ofSeconds(29))))
        .containsExactly("budget.gap");
  }

  @Test
  void anObjectionSaysWhatEndsIt() {
    assertThat(against(99, 0, Set.of(), taken(10, Duration.ofMinutes(50))))
        .singleElement()
        .hasToString("10 drains within an hour (budget.per-hour); until 2026-11-24T12:10:00Z");
  }

  @Test
  void replacementsHaveALimitOfTheirOwn() {
    Guard guard = new Guard(BUDGET);
    assertThat(guard.againstReplacement(NOW, taken(1, Duration.ofMinutes(50)))).isEmpty();
    assertThat(guard.againstReplacement(NOW, taken(2, Duration.ofMinutes(50))).orElseThrow())
        .hasToString(
            "2 replacements within an hour (budget.replacements-per-hour); until"
                + " 2026-11-24T12:10:00Z");
    assertThat(guard.againstReplacement(NOW, taken(2, Duration.ofMinutes(60)))).isEmpty();
  }

  @Test
  void aRuleOnManyNodesAtOnceTakesNone() {
    for (int i = 0; i < BUDGET.systemicNodes(); i++) {
      assertThat(storms.against("xid_79", NOW)).isEmpty();
      storms.requested("xid_79", name(i), NOW, NOW);
      storms.requested("xid_79", name(0), NOW, NOW); // a repetition counts once
    }

    assertThat(storms.against("xid_79", NOW)).isPresent();
    assertThat(storms.against("xid_48", NOW)).isEmpty();
    assertThat(storms.against("xid_79", NOW.plus(BUDGET.coolDown()))).isEmpty();
  }

  @Test
  void aNodeThatIsHealthyIsWithdrawnAndTheStormOfTooFewIsLifted() {
    for (int i = 0; i < BUDGET.systemicNodes() + 2; i++) {
      storms.requested("xid_79", name(i), NOW.plusSeconds(i), NOW);
    }
    storms.withdrawn(name(0));
    storms.withdrawn(name(0)); // counts once
    assertThat(storms.against("xid_79", NOW).orElseThrow().why())
        .startsWith("xid_79 is on " + (BUDGET.systemicNodes() + 1) + " nodes at once");
    storms.withdrawn(name(1));
    storms.withdrawn(name(99));
    assertThat(storms.against("xid_79", NOW)).isPresent();
    storms.withdrawn(name(2));
    assertThat(storms.against("xid_79", NOW)).isEmpty();

    storms.requested("xid_79", name(2), NOW, NOW);
    assertThat(storms.against("xid_79", NOW)).as("it fails after all").isPresent();
  }

  @Test
  void aStormIsNotLiftedWhileEnoughNodesFailedTogether() {
    Instant earlier = NOW.minus(BUDGET.systemicWithin().multipliedBy(2));
    for (int i = 0; i < BUDGET.systemicNodes(); i++) {
      storms.requested("xid_79", name(i), earlier, NOW);
      storms.requested("xid_79", name(10 + i), NOW, NOW);
    }
    storms.withdrawn(name(10));
    assertThat(storms.against("xid_79", NOW)).isPresent();
    storms.withdrawn(name(0));
    assertThat(storms.against("xid_79", NOW)).isEmpty();
  }

  @Test
  void nodesThatFailedOneAfterTheOtherAreNoStormHoweverOftenTheyAreReported() {
    Duration apart = BUDGET.systemicWithin().plusMinutes(1);
    for (int i = 0; i < 2 * BUDGET.systemicNodes(); i++) {
      storms.requested("xid_79", name(i), NOW.minus(apart.multipliedBy(i)), NOW);
    }
    assertThat(storms.against("xid_79", NOW)).isEmpty();
  }

  @Test
  void findingsThatBeganTogetherAreAStormHoweverLateTheyAreReported() {
    for (int i = 0; i < BUDGET.systemicNodes(); i++) {
      Instant reported = NOW.plus(BUDGET.systemicWithin().multipliedBy(i));
      storms.requested("xid_79", name(i), NOW, reported);
    }
    assertThat(storms.lasting(NOW.plus(BUDGET.coolDown())))
        .singleElement()
        .asString()
        .contains("xid_79 is on " + BUDGET.systemicNodes() + " nodes at once");
  }

  @Test
  void aShareIsNeverExceededAndAtLeastOneNode() {
    assertThat(Budget.nodes(0.2, 3)).isEqualTo(1);
    assertThat(Budget.nodes(0.1, 11)).isEqualTo(1);
    assertThat(Budget.nodes(0.1, 20)).isEqualTo(2);
    assertThat(Budget.nodes(0.29, 100)).isEqualTo(29);
    assertThat(Budget.nodes(1, 100)).isEqualTo(100);
    assertThat(Budget.nodes(0, 5)).isEqualTo(1);
  }

  private static ClusterView gang(int out) {
    List<NodeState> nodes = new ArrayList<>();
    Set<NodeName> all = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      nodes.add(
          new NodeState(
              name(i),
              i < out ? Service.DRAINED : Service.IN_SERVICE,
              i < out ? "lapwing-drain 1-" + i : "",
              "",
              Set.of(),
              true,
              "",
              Optional.empty(),
              8,
              new More(Set.of(), i >= 50 ? "rack" : "", "", "", "")));
      if (i < 50) {
        all.add(name(i));
      }
    }
    return ClusterView.of(NOW, nodes, List.of(new Job("4711", "ada", all, 400)));
  }

  private List<String> limitsInGang(int node, int out, Set<NodeName> held, List<Taken> taken) {
    ClusterView view = gang(out);
    return guard
        .against(view.node(name(node)).orElseThrow(), new ClusterIndex(view), held, taken)
        .stream()
        .map(Objection::limit)
        .toList();
  }

  @Test
  void aJobHasALimitOfItsOwnAndItsNodesGoTogether() {
    List<Taken> justNow = taken(1, Duration.ofSeconds(1));

    assertThat(limitsInGang(9, 4, Set.of(), List.of())).containsExactly("budget.job-nodes");
    assertThat(limitsInGang(9, 1, Set.of(name(0)), justNow)).isEmpty();
    assertThat(limitsInGang(9, 1, Set.of(name(60)), justNow)).containsExactly("budget.gap");
    assertThat(limitsInGang(9, 0, Set.of(name(0)), justNow))
        .as("it is commanded, and not out of service yet")
        .containsExactly("budget.gap");
  }

  @Test
  void anNvlinkDomainHasALimitOfItsOwn() {
    assertThat(limitsInGang(99, 9, Set.of(), List.of())).isEmpty();
    assertThat(limitsInGang(99, 52, Set.of(), List.of()))
        .containsExactly("budget.share", "budget.domain-nodes");
  }
}
