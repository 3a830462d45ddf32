package io.lapwing.stack.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class FleetPlanTest {

  @Test
  void aThousandNodesAreSixtyThreeJobsOfSixteenNodesTheLastOfEight() {
    Map<String, Long> jobs =
        FleetPlan.of(1000).nodes().stream()
            .collect(Collectors.groupingBy(PlayedNode::jobId, Collectors.counting()));
    assertThat(jobs).hasSize(63);
    assertThat(jobs.values()).contains(16L, 8L);
    assertThat(FleetPlan.of(1000).nodes().get(999).nodesOfJob()).isEqualTo(8);
  }

  @Test
  void oneNodeInFiftyHasAFaultAndEveryFaultIsPlayed() {
    Map<String, Long> scenarios =
        FleetPlan.of(1000).nodes().stream()
            .collect(Collectors.groupingBy(PlayedNode::scenario, Collectors.counting()));
    assertThat(scenarios.keySet()).containsExactlyInAnyOrderElementsOf(FleetPlan.scenarios());
    assertThat(FleetPlan.FAULTS.stream().mapToLong(scenarios::get).sum()).isEqualTo(20);
  }

  @Test
  void noTwoNodesAreTheSame() {
    assertThat(FleetPlan.of(1000).nodes()).extracting(PlayedNode::hex).doesNotHaveDuplicates();
  }
}
