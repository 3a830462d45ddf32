package io.lapwing.agent.sources;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class PauseMeterTest {

  private long now;
  private final PauseMeter meter = new PauseMeter(() -> now);

  private void pass(double seconds) {
    now += (long) (seconds * 1e9);
  }

  @Test
  void aTickInTimeIsNoPause() {
    assertThat(meter.pausedNanos()).isZero();
    for (int i = 0; i < 10; i++) {
      meter.tick(Duration.ofSeconds(1));
      pass(1.1);
    }
    assertThat(meter.pausedNanos()).isZero();
  }

  @Test
  void aTickThatIsLateIsAPauseWhileItLastsAndAfterwards() {
    meter.tick(Duration.ofSeconds(1));
    pass(61);
    assertThat(meter.pausedNanos()).isEqualTo(Duration.ofSeconds(60).toNanos());

    meter.tick(Duration.ofSeconds(1));
    pass(1);
    assertThat(meter.pausedNanos()).isEqualTo(Duration.ofSeconds(60).toNanos());
  }

  @Test
  void runningTimeCountsAPauseAsOneStep() {
    RunningTime running =
        new RunningTime(
            new PollClock() {
              @Override
              public Instant instant() {
                return Instant.EPOCH;
              }

              @Override
              public long nanoTime() {
                return now;
              }
            },
            () -> Duration.ofSeconds(2));
    assertThat(running.advance()).isZero();
    pass(1);
    assertThat(running.advance()).isEqualTo(Duration.ofSeconds(1));
    pass(300);
    assertThat(running.advance()).isEqualTo(Duration.ofSeconds(3));
    pass(1);
    assertThat(running.advance()).isEqualTo(Duration.ofSeconds(4));
  }
}
