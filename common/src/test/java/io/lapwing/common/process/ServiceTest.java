package io.lapwing.common.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ServiceTest {

  private final List<String> received = new ArrayList<>();
  private final List<Runnable> scheduler = new ArrayList<>();
  private final List<Runnable> web = new ArrayList<>();
  private Service.Status status =
      new Service.Status(false, "starting: not every source was read yet");
  private boolean available = true;
  private long nanos = 5;

  private final Service service =
      new Service(
          this::receive,
          Optional.of(Duration.ofMinutes(1)),
          () -> status,
          List.of(new Service.LoopProbe(scheduler::add), new Service.LoopProbe(web::add)),
          () -> nanos);

  private boolean receive(String state) {
    if (available) {
      received.add(state);
    }
    return available;
  }

  private List<String> update() {
    received.clear();
    service.update();
    return List.copyOf(received);
  }

  private static void turn(List<Runnable> loop) {
    loop.forEach(Runnable::run);
    loop.clear();
  }

  private void becomeReady() {
    status = new Service.Status(true, "healthy: all well");
    update();
    turn(scheduler);
    turn(web);
  }

  @Test
  void reportsReadyOnceAfterTheFirstEvaluation() {
    assertThat(update()).containsExactly("STATUS=starting: not every source was read yet");
    assertThat(update()).isEmpty();

    status = new Service.Status(true, "healthy: all well");

    assertThat(update()).contains("READY=1", "STATUS=healthy: all well");
    assertThat(update()).doesNotContain("READY=1");
  }

  @Test
  void reportsReadyAfterTheTimeoutWithoutAnEvaluation() {
    update();
    nanos += Service.MAX_STARTUP.toNanos();

    assertThat(update()).contains("READY=1");
    assertThat(update()).doesNotContain("READY=1");
  }

  @Test
  void reportsTheStatusWhenItChanges() {
    becomeReady();

    status = new Service.Status(true, "failing: XID 79 on GPU 5");

    assertThat(update()).contains("STATUS=failing: XID 79 on GPU 5");
    turn(scheduler);
    turn(web);
    assertThat(update()).noneMatch(state -> state.startsWith("STATUS"));
  }

  @Test
  void sendsKeepAlivesWhileBothLoopsRun() {
    becomeReady();
    for (int round = 0; round < 3; round++) {
      assertThat(update()).contains("WATCHDOG=1");
      turn(scheduler);
      turn(web);
    }
  }

  @Test
  void sendsNoKeepAliveWhenTheSchedulerIsStuck() {
    becomeReady();
    update();
    turn(web);
    assertThat(update()).doesNotContain("WATCHDOG=1");
    turn(web);
    assertThat(update()).doesNotContain("WATCHDOG=1");
    assertThat(scheduler).hasSize(1);
  }

  @Test
  void sendsNoKeepAliveWhileTheWebServerIsStuck() {
    becomeReady();
    update();
    turn(scheduler);
    assertThat(update()).doesNotContain("WATCHDOG=1");
    turn(scheduler);
    turn(web);
    assertThat(update()).contains("WATCHDOG=1");
  }

  @Test
  void failedNotificationsAreSentAgain() {
    status = new Service.Status(true, "healthy: all well");
    available = false;
    assertThat(update()).isEmpty();

    available = true;

    assertThat(update()).contains("READY=1", "STATUS=healthy: all well");
  }

  @Test
  void aStatusIsOneLineWithoutControlCharacters() {
    status = new Service.Status(true, "failing: \u001b[31mGPU\n5\nREADY=1");
    assertThat(update()).contains("STATUS=failing:  [31mGPU 5 READY=1");

    status = new Service.Status(true, "x".repeat(1000));
    assertThat(update())
        .filteredOn(state -> state.startsWith("STATUS"))
        .singleElement()
        .asString()
        .hasSize("STATUS=".length() + 200);
  }

  @Test
  void reportsStopping() {
    service.stopping();
    assertThat(received).containsExactly("STOPPING=1");
  }
}
