package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResponseBudgetTest {

  private final ResponseBudget room = new ResponseBudget(10_000);

  @Test
  void answersAreLetInUntilThereIsNoMoreRoom() {
    assertThat(room.enter(new byte[6_000])).isTrue();
    assertThat(room.enter(new byte[4_000])).isTrue();
    assertThat(room.enter(new byte[1_000])).isFalse();
  }

  @Test
  void whatWasSentMakesRoom() {
    byte[] sent = new byte[9_000];
    room.enter(sent);
    room.leave(sent);

    assertThat(room.enter(new byte[9_000])).isTrue();
    assertThat(room.enter(new byte[9_000])).isFalse();
  }

  @Test
  void answersWithTheSameBytesTakeRoomOnceAndUntilTheLastOfThemIsSent() {
    byte[] page = new byte[9_000];
    assertThat(room.enter(page)).isTrue();
    assertThat(room.enter(page)).isTrue();

    room.leave(page);
    assertThat(room.enter(new byte[9_000])).isFalse();
    room.leave(page);
    assertThat(room.enter(new byte[9_000])).isTrue();
  }

  @Test
  void aSingleAnswerMayBeLargerThanTheRoom() {
    assertThat(room.enter(new byte[50_000])).isTrue();
    assertThat(room.enter(new byte[1_000])).isFalse();
  }

  @Test
  void aSentenceIsAlwaysLetIn() {
    room.enter(new byte[50_000]);

    assertThat(room.enter(new byte[100])).isTrue();
  }
}
