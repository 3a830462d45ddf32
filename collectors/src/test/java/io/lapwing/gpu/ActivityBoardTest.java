package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.dcgm.DcgmFieldId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ActivityBoardTest {

  private static final String GPU = "GPU-0";
  private static final Instant START = Instant.ofEpochSecond(1000);

  private final ActivityBoard board = new ActivityBoard(() -> Duration.ofSeconds(20));

  private void publish(double active, double seconds, Instant now) {
    board.publish(GPU, Map.of(DcgmFieldId.PROF_SM_ACTIVE, active), seconds, now);
  }

  @Test
  void untilAnEngineIsReadItIsOff() {
    assertThat(board.activity(GPU, START)).isEmpty();
    assertThat(board.why(GPU)).isEqualTo("dcgm_off");
    board.available();
    assertThat(board.why(GPU)).isEqualTo("no_data");
  }

  @Test
  void aSampleThatNoOtherFollowsBecomesStale() {
    board.available();
    publish(0.5, 0, START);
    assertThat(board.activity(GPU, START.plusSeconds(20))).isPresent();
    assertThat(board.activity(GPU, START.plusSeconds(21))).isEmpty();
    assertThat(board.why(GPU)).isEqualTo("stale");
  }

  @Test
  void anInstanceOfAnotherProfileBeginsAnew() {
    String instance = ActivityBoard.instance(GPU, 7);
    Map<DcgmFieldId, Double> half = Map.of(DcgmFieldId.PROF_SM_ACTIVE, 0.5);
    board.settle(instance, 19);
    board.publish(instance, half, 10, START);
    board.settle(instance, 19);
    board.publish(instance, half, 10, START);
    assertThat(board.activity(instance, START).orElseThrow().seconds())
        .containsEntry(DcgmFieldId.PROF_SM_ACTIVE, 10.0);

    board.settle(instance, 14);
    assertThat(board.activity(instance, START)).isEmpty();
    board.publish(instance, half, 10, START);
    assertThat(board.activity(instance, START).orElseThrow().seconds())
        .containsEntry(DcgmFieldId.PROF_SM_ACTIVE, 5.0);
  }

  @Test
  void integralsGoOnAfterAnAbsence() {
    publish(0.5, 10, START);
    board.unavailable("connection_not_valid");
    assertThat(board.activity(GPU, START)).isEmpty();
    assertThat(board.why(GPU)).isEqualTo("connection_not_valid");

    publish(0.25, 4, START);
    assertThat(board.activity(GPU, START).orElseThrow().seconds())
        .containsEntry(DcgmFieldId.PROF_SM_ACTIVE, 6.0);
  }
}
