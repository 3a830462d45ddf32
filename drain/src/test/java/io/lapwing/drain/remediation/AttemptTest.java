package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.cluster.NodeState;
import io.lapwing.drain.cluster.NodeState.Service;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AttemptTest {

  private static final Instant AT = Instant.parse("2026-11-27T00:00:00Z");
  private static final NodeState NODE =
      new NodeState(
          new NodeName("n1"), Service.DRAINED, "", "", Set.of(), true, "i-1", Optional.empty(), 8);

  private static final Attempt REPLACEMENT =
      new Attempt(
          Remedy.REPLACE_NODE, AT, "boot-1", "i-1", Set.of("GPU-a", "host-1"), Optional.empty());

  private static NodeHealth health(String instance, String... serials) {
    return new NodeHealth(
        Verdict.HEALTHY,
        Remedy.NONE,
        AT,
        false,
        "boot-2",
        instance,
        "",
        OptionalInt.of(8),
        Set.of(),
        Urgency.JOB_END,
        Set.of(serials));
  }

  @Test
  void anotherInstanceIsAReplacement() {
    assertThat(REPLACEMENT.missing(NODE, health("i-2", "GPU-a"))).isEmpty();
    assertThat(REPLACEMENT.missing(NODE, health("i-1", "GPU-a")))
        .contains("its instance is still i-1");
  }

  @Test
  void anInstanceThatWasStoppedAndStartedHasOtherGpus() {
    assertThat(REPLACEMENT.missing(NODE, health("i-1", "GPU-b", "host-1"))).isEmpty();
    assertThat(REPLACEMENT.missing(NODE, health("i-1", "GPU-a", "GPU-b")))
        .as("one GPU of several is the same")
        .isPresent();
    assertThat(REPLACEMENT.missing(NODE, health("i-1"))).as("GPUs are unknown").isPresent();
  }
}
