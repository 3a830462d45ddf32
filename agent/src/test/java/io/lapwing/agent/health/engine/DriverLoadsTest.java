package io.lapwing.agent.health.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import io.lapwing.agent.health.DriverStatus;
import io.lapwing.agent.health.History;
import io.lapwing.agent.health.NodeFacts;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.NodeSnapshot.AgentStatus;
import io.lapwing.agent.health.Trends;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class DriverLoadsTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final String VERSION = "580.95.05";
  private static final DriverStatus UP = new DriverStatus.Up(VERSION, 8);
  private static final DriverStatus RELEASED = new DriverStatus.Released("for maintenance", true);

  private final DriverLoads loads = new DriverLoads();

  private static NodeSnapshot view(long seconds, DriverStatus driver, AgentStatus agent) {
    return new NodeSnapshot(
        START.plusSeconds(seconds),
        new NodeFacts(
            "",
            "",
            "",
            Optional.empty(),
            OptionalInt.empty(),
            OptionalInt.empty(),
            OptionalInt.empty()),
        driver,
        agent,
        List.of(),
        List.of(),
        History.EMPTY,
        Trends.NONE);
  }

  private void evaluate(long seconds, DriverStatus driver) {
    loads.genuine(List.of(), view(seconds, driver, AgentStatus.ALL_AVAILABLE));
  }

  private boolean counts(long line, String version, long seconds, DriverStatus driver) {
    return counts(line, version, view(seconds, driver, AgentStatus.ALL_AVAILABLE));
  }

  private boolean counts(long line, String version, NodeSnapshot view) {
    Event load = new Event.DriverLoaded(START.plusSeconds(line), version);
    Event other = new Event.Started(view.now(), "1");
    List<Event> left = loads.genuine(List.of(load, other), view);
    assertThat(left).contains(other);
    return left.contains(load);
  }

  @Test
  void aLoadBeforeTheFirstSessionCounts() {
    assertThat(counts(-600, VERSION, 0, UP)).isTrue();
    assertThat(counts(-600, VERSION, 10, UP)).as("read later").isTrue();
  }

  @Test
  void aLoadWithinASessionDoesNot() {
    evaluate(0, UP);

    assertThat(counts(0, VERSION, 1, UP)).isFalse();
    assertThat(counts(300, VERSION, 301, UP)).isFalse();
    assertThat(counts(310, VERSION, 311, new DriverStatus.Hung(Duration.ofMinutes(1))))
        .as("the call that has not returned keeps it open")
        .isFalse();
  }

  @Test
  void aLoadDuringAReleaseCountsThenAndLater() {
    evaluate(0, UP);
    evaluate(60, RELEASED);

    assertThat(counts(90, VERSION, 91, RELEASED)).isTrue();
    assertThat(counts(95, VERSION, 120, UP)).isTrue();
    assertThat(counts(121, VERSION, 122, UP)).isFalse();
  }

  @Test
  void aLoadOfAnotherVersionThanNvmlsDoesNotCount() {
    assertThat(counts(-600, "570.133.20", 0, UP)).isFalse();
    assertThat(counts(-600, "570.133.20", 1, RELEASED)).as("NVML does not answer").isTrue();
  }

  @Test
  void aLoadInALogFileNeverCounts() {
    AgentStatus file =
        new AgentStatus(
            Optional.empty(),
            Optional.of("/var/log/messages is read in its place: permission denied"),
            Optional.empty(),
            Optional.empty());

    assertThat(counts(-600, VERSION, view(0, UP, file))).isFalse();
    assertThat(counts(1, VERSION, view(2, RELEASED, file))).isFalse();
  }

  @Test
  void aClockThatWasSetBackOpensNoGap() {
    evaluate(0, UP);
    evaluate(-3_600, UP);

    assertThat(counts(-1_800, VERSION, -1_790, UP)).isFalse();
  }
}
