package io.lapwing.agent.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceTest {

  private final List<String> heard = new ArrayList<>();
  private final List<Runnable> scheduler = new ArrayList<>();
  private final List<Runnable> web = new ArrayList<>();
  private ServiceStatus standing =
      new ServiceStatus(false, "starting: not every source was read yet");
  private boolean listens = true;
  private long nanos = 5;

  private final Service service =
      new Service(
          this::hear,
          Optional.of(Duration.ofMinutes(1)),
          () -> standing,
          List.of(new LoopProbe(scheduler::add), new LoopProbe(web::add)),
          () -> nanos);

  private boolean hear(String state) {
    if (listens) {
      heard.add(state);
    }
    return listens;
  }

  private List<String> look() {
    heard.clear();
    service.look();
    return List.copyOf(heard);
  }

  private static void turn(List<Runnable> loop) {
    loop.forEach(Runnable::run);
    loop.clear();
  }

  private void becomeReady() {
    standing = new ServiceStatus(true, "healthy: all well");
    look();
    turn(scheduler);
    turn(web);
  }

  @Test
  void itIsReadyOnceAndNotBeforeThereIsAPage() {
    assertThat(look()).containsExactly("STATUS=starting: not every source was read yet");
    assertThat(look()).isEmpty();

    standing = new ServiceStatus(true, "healthy: all well");

    assertThat(look()).contains("READY=1", "STATUS=healthy: all well");
    assertThat(look()).doesNotContain("READY=1");
  }

  @Test
  void aNodeThatCannotBeJudgedIsServedAllTheSame() {
    look();
    nanos += Service.READY_AT_THE_LATEST.toNanos();

    assertThat(look()).contains("READY=1");
    assertThat(look()).doesNotContain("READY=1");
  }

  @Test
  void theVerdictIsToldWhenItChanges() {
    becomeReady();

    standing = new ServiceStatus(true, "failing: XID 79 on GPU 5");

    assertThat(look()).contains("STATUS=failing: XID 79 on GPU 5");
    turn(scheduler);
    turn(web);
    assertThat(look()).noneMatch(state -> state.startsWith("STATUS"));
  }

  @Test
  void itLivesWhileBothLoopsTurn() {
    becomeReady();
    for (int round = 0; round < 3; round++) {
      assertThat(look()).contains("WATCHDOG=1");
      turn(scheduler);
      turn(web);
    }
  }

  @Test
  void itDoesNotLiveWhenTheSchedulerStands() {
    becomeReady();
    look();
    turn(web);
    assertThat(look()).doesNotContain("WATCHDOG=1");
    turn(web);
    assertThat(look()).doesNotContain("WATCHDOG=1");
    assertThat(scheduler).hasSize(1);
  }

  @Test
  void itDoesNotLiveWhenTheWebServerStandsAndLivesAgainWhenItTurns() {
    becomeReady();
    look();
    turn(scheduler);
    assertThat(look()).doesNotContain("WATCHDOG=1");
    turn(scheduler);
    turn(web);
    assertThat(look()).contains("WATCHDOG=1");
  }

  @Test
  void whatWasNotHeardIsSaidAgain() {
    standing = new ServiceStatus(true, "healthy: all well");
    listens = false;
    assertThat(look()).isEmpty();

    listens = true;

    assertThat(look()).contains("READY=1", "STATUS=healthy: all well");
  }

  @Test
  void aStatusIsOneLineThatATerminalShowsAsItIs() {
    standing = new ServiceStatus(true, "failing: \u001b[31mGPU\n5\nREADY=1");
    assertThat(look()).contains("STATUS=failing:  [31mGPU 5 READY=1");

    standing = new ServiceStatus(true, "x".repeat(1000));
    assertThat(look())
        .filteredOn(state -> state.startsWith("STATUS"))
        .singleElement()
        .asString()
        .hasSize("STATUS=".length() + 200);
  }

  @Test
  void itSaysThatItEnds() {
    service.end();
    assertThat(heard).containsExactly("STOPPING=1");
  }
}
