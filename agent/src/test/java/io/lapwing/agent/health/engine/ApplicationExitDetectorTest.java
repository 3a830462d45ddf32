package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.rules.gpu.NodeSnapshots;
import io.lapwing.gpu.GpuMetrics;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ApplicationExitDetectorTest {

  private final ApplicationExitDetector detector =
      new ApplicationExitDetector(pid -> Optional.empty(), () -> Duration.ofMinutes(2));

  private static NodeSnapshot idle() {
    return NodeSnapshots.healthy().value(3, GpuMetrics.PROCESSES, 0).view();
  }

  private void xid(Duration ago, OptionalLong pid) {
    detector.add(
        new Event.Xid(
            idle().now().minus(ago),
            "GPU-3",
            "0000:53:00",
            OptionalInt.empty(),
            OptionalInt.empty(),
            32,
            pid,
            "",
            "",
            OptionalInt.empty(),
            Set.of(),
            1,
            OptionalLong.empty()));
  }

  @Test
  void aListOfProcessesFromBeforeTheXidSaysNothing() {
    xid(Duration.ofSeconds(40), OptionalLong.empty());

    assertThat(detector.exits(idle())).isEmpty();
  }

  @Test
  void aGpuThatIsIdleLongAfterItHasNoProgramOfTheXid() {
    xid(Duration.ofMinutes(3), OptionalLong.empty());

    assertThat(detector.exits(idle()))
        .containsExactly(new Event.ApplicationEnded(idle().now(), "GPU-3", OptionalLong.empty()));
  }

  @Test
  void aProcessThatIsGoneHasEndedAtOnce() {
    xid(Duration.ofSeconds(1), OptionalLong.of(77));

    assertThat(detector.exits(idle())).hasSize(1);
  }
}
