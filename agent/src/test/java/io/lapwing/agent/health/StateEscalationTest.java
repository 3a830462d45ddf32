package io.lapwing.agent.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.agent.events.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateEscalationTest {

  private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");
  private static final Subject GPU = new Subject.Gpu("GPU-3");

  private final List<Event> events = new ArrayList<>();
  private Instant now = START;

  private void later(Duration time) {
    now = now.plus(time);
  }

  private void opened() {
    events.add(
        new Event.FindingOpened(now, now, "gpu_lost", GPU.text(), "failing", "reboot_node", "x"));
  }

  private void closed(String why) {
    events.add(new Event.FindingClosed(now, "gpu_lost", GPU.text(), why));
  }

  private void booted(String instance) {
    later(Duration.ofMinutes(5));
    events.add(new Event.Booted(now, "boot-" + events.size(), instance));
  }

  private Action action(Action asked) {
    Detection detection =
        new Detection(
            "gpu_lost",
            GPU,
            Disposition.failing(asked, Urgency.NOW),
            "no longer answers",
            "Why.",
            "doc",
            Optional.empty(),
            Optional.empty(),
            1,
            List.of("test"));
    return new StateEscalation(new History(events), now).of(detection).disposition().action();
  }

  @Test
  void aFirstFaultAsksForWhatItsRuleAsksFor() {
    assertThat(action(Action.REBOOT_NODE)).isEqualTo(Action.REBOOT_NODE);
    booted("i-1");
    assertThat(action(Action.REBOOT_NODE))
        .as("a boot without a finding")
        .isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void theSameAfterTheBootAsksForAReplacement() {
    booted("i-1");
    opened();
    booted("i-1");
    closed("machine booted");
    assertThat(action(Action.REBOOT_NODE)).isEqualTo(Action.REPLACE_NODE);

    later(Duration.ofDays(6));
    assertThat(action(Action.REBOOT_NODE)).as("six days later").isEqualTo(Action.REPLACE_NODE);
    later(Duration.ofDays(2));
    assertThat(action(Action.REBOOT_NODE)).as("eight days later").isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void whatWasDoneCountsAndNotWhatWasAsked() {
    opened();
    events.add(new Event.GpuReset(now, "GPU-3", "sign"));
    assertThat(action(Action.RESET_GPU))
        .as("the state may be the one before the reset")
        .isEqualTo(Action.RESET_GPU);
    later(Duration.ofMinutes(2));
    assertThat(action(Action.RESET_GPU)).as("a reset").isEqualTo(Action.REBOOT_NODE);

    later(Duration.ofDays(1));
    events.add(new Event.GpuReset(now, "GPU-3", "sign"));
    assertThat(action(Action.RESET_GPU)).as("a second reset").isEqualTo(Action.REBOOT_NODE);

    booted("i-1");
    assertThat(action(Action.RESET_GPU)).as("and a boot").isEqualTo(Action.REPLACE_NODE);
  }

  @Test
  void aFaultThatEndedBeforeTheBootIsNotItsFailure() {
    opened();
    closed("gone");
    booted("i-1");
    assertThat(action(Action.REBOOT_NODE)).isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void anotherMachineAnotherGpuAndAnOperatorStartAnew() {
    booted("i-1");
    opened();
    booted("i-2");
    assertThat(action(Action.REBOOT_NODE)).as("instance").isEqualTo(Action.REBOOT_NODE);

    opened();
    booted("i-2");
    events.add(new Event.MachineReplaced(now, 8));
    assertThat(action(Action.REBOOT_NODE)).as("all GPUs").isEqualTo(Action.REBOOT_NODE);

    opened();
    booted("i-2");
    events.add(new Event.GpuRemoved(now, "GPU-3"));
    assertThat(action(Action.REBOOT_NODE)).as("this GPU").isEqualTo(Action.REBOOT_NODE);

    opened();
    booted("i-2");
    events.add(new Event.OperatorCleared(now, "gpu_lost", "", "replaced the cable"));
    assertThat(action(Action.REBOOT_NODE)).as("operator").isEqualTo(Action.REBOOT_NODE);
  }

  @Test
  void whatOnlyHasToBeWatchedStaysThat() {
    opened();
    booted("i-1");
    assertThat(action(Action.WATCH)).isEqualTo(Action.WATCH);
  }
}
