package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Policy;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GateTest {

  private static Optional<String> closed(int scheduler, OptionalInt agent) {
    NodeState node =
        new NodeState(
            new NodeName("n1"),
            Service.DRAINED,
            "",
            "",
            Set.of(),
            true,
            "",
            Optional.empty(),
            scheduler);
    NodeHealth health =
        new NodeHealth(
            Verdict.HEALTHY,
            Remedy.NONE,
            Instant.EPOCH,
            false,
            "",
            "",
            "",
            agent,
            Set.of(),
            Urgency.JOB_END,
            Set.of());
    return Gate.closed(node, health, Policy.DEFAULT);
  }

  @Test
  void theAgentHasToSeeAsManyGpusAsTheSchedulerCounts() {
    assertThat(closed(8, OptionalInt.of(8))).isEmpty();
    assertThat(closed(0, OptionalInt.of(7))).as("unknown to the scheduler").isEmpty();
    assertThat(closed(8, OptionalInt.of(4))).contains("the agent sees 4 of the scheduler's 8 GPUs");
    assertThat(closed(8, OptionalInt.empty()))
        .contains("the agent sees an unknown number of the scheduler's 8 GPUs");
  }

  @Test
  void migInstancesAndTimeSlicesAreNotGpus() {
    assertThat(closed(56, OptionalInt.of(8))).isEmpty();
    assertThat(closed(32, OptionalInt.of(8))).isEmpty();
    assertThat(closed(56, OptionalInt.of(0))).isPresent();
  }
}
