package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.agent.health.Trends;
import io.lapwing.agent.health.Values;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class ReplacedHardwareTest {

  private static final Instant NOW = Instant.parse("2026-03-01T03:00:00Z");

  private final List<Event> log = new ArrayList<>();

  private void booted() {
    log.add(new Event.Booted(NOW, "boot-" + log.size(), "i-1"));
  }

  private void seen(String... gpus) {
    for (String gpu : gpus) {
      log.add(new Event.RowsRemapped(NOW, gpu, 0, 0));
    }
  }

  private List<Event> with(String... gpus) {
    return detect(2, new DriverStatus.Up("580.95.05", gpus.length), gpus);
  }

  private List<Event> detect(int expected, DriverStatus driver, String... uuids) {
    List<GpuStatus> gpus = new ArrayList<>();
    for (String uuid : uuids) {
      gpus.add(new GpuStatus(uuid, gpus.size(), "", PartStatus.State.ANSWERS, Values.NONE));
    }
    return new ReplacedHardware()
        .detect(
            new NodeSnapshot(
                NOW,
                new NodeFacts(
                    "node",
                    "",
                    "i-1",
                    Optional.empty(),
                    OptionalInt.of(expected),
                    OptionalInt.empty(),
                    OptionalInt.empty()),
                driver,
                NodeSnapshot.AgentStatus.ALL_AVAILABLE,
                gpus,
                List.of(),
                new History(log),
                Trends.NONE));
  }

  @Test
  void allOthersAfterABootAreAnotherMachine() {
    booted();
    seen("GPU-a", "GPU-b");
    booted();
    assertThat(with("GPU-c", "GPU-d")).containsExactly(new Event.MachineReplaced(NOW, 2));
  }

  @Test
  void aBoardThatWasSwappedIsRemoved() {
    booted();
    seen("GPU-a", "GPU-b");
    booted();
    assertThat(with("GPU-a", "GPU-d")).containsExactly(new Event.GpuRemoved(NOW, "GPU-b"));
    log.addAll(with("GPU-a", "GPU-d"));
    assertThat(with("GPU-a", "GPU-d")).as("said once").isEmpty();
  }

  @Test
  void withoutABootOrWhileOneIsMissingNothingIsConcluded() {
    booted();
    seen("GPU-a", "GPU-b");
    assertThat(with("GPU-a", "GPU-d")).as("no boot since").isEmpty();
    booted();
    assertThat(with("GPU-a")).as("it may have fallen off the bus").isEmpty();
    assertThat(detect(2, new DriverStatus.NotPolled(), "GPU-c", "GPU-d")).isEmpty();
    assertThat(detect(0, new DriverStatus.Up("580.95.05", 2), "GPU-c", "GPU-d")).isEmpty();
  }

  @Test
  void theSameGpusAfterABootAreTheSame() {
    booted();
    seen("GPU-a", "GPU-b");
    booted();
    assertThat(with("GPU-b", "GPU-a")).isEmpty();
  }
}
