package io.lapwing.drain.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.cluster.ClusterView;
import io.lapwing.drain.cluster.NodeName;
import io.lapwing.drain.guard.Taken;
import io.lapwing.drain.policy.Budget;
import io.lapwing.drain.remediation.ControllerState;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SnapshotTest {

  private static final Instant NOW = Instant.parse("2026-11-26T12:00:00Z");

  private static Snapshot twoWereTaken(boolean drainReplaces) {
    List<Taken> taken =
        List.of(
            new Taken(new NodeName("n1"), NOW.minus(Duration.ofMinutes(40))),
            new Taken(new NodeName("n2"), NOW.minus(Duration.ofMinutes(30))));
    ControllerState state =
        new ControllerState(
            NOW,
            Map.of(),
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            List.of(),
            List.of(),
            taken,
            Optional.empty());
    ClusterView view = new ClusterView(NOW, Map.of(), List.of());
    return Snapshot.of(state, Optional.of(view), Budget.DEFAULT, drainReplaces);
  }

  private static List<String> closed(Snapshot snapshot) {
    return StateCollector.brake(snapshot).samples.stream()
        .filter(sample -> sample.value == 1)
        .map((Sample sample) -> sample.labelValues.get(0))
        .toList();
  }

  /** On ParallelCluster it is the limit that is reached first. */
  @Test
  void whereADrainReplacesTheLimitOfReplacementsStopsTheDrains() {
    Snapshot snapshot = twoWereTaken(true);
    assertThat(closed(snapshot)).containsExactly("budget.replacements-per-hour");
    assertThat(snapshot.brake())
        .singleElement()
        .satisfies(one -> assertThat(one.why()).isEqualTo("2 replacements within an hour"));
    assertThat(closed(twoWereTaken(false))).isEmpty();
  }
}
