package io.lapwing.agent.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ResponseBudgetTest {

  private final ResponseBudget budget = new ResponseBudget(10_000);

  @Test
  void responsesAreAcceptedUpToTheBudget() {
    assertThat(budget.tryAcquire(new byte[6_000])).isTrue();
    assertThat(budget.tryAcquire(new byte[4_000])).isTrue();
    assertThat(budget.tryAcquire(new byte[1_000])).isFalse();
  }

  @Test
  void aReleasedResponseFreesItsBytes() {
    byte[] sent = new byte[9_000];
    budget.tryAcquire(sent);
    budget.release(sent);

    assertThat(budget.tryAcquire(new byte[9_000])).isTrue();
    assertThat(budget.tryAcquire(new byte[9_000])).isFalse();
  }

  @Test
  void sharedBytesCountOnceUntilTheLastRelease() {
    byte[] page = new byte[9_000];
    assertThat(budget.tryAcquire(page)).isTrue();
    assertThat(budget.tryAcquire(page)).isTrue();

    budget.release(page);
    assertThat(budget.tryAcquire(new byte[9_000])).isFalse();
    budget.release(page);
    assertThat(budget.tryAcquire(new byte[9_000])).isTrue();
  }

  @Test
  void aSingleResponseMayExceedTheBudget() {
    assertThat(budget.tryAcquire(new byte[50_000])).isTrue();
    assertThat(budget.tryAcquire(new byte[1_000])).isFalse();
  }

  @Test
  void aTinyResponseIsAlwaysAccepted() {
    budget.tryAcquire(new byte[50_000]);

    assertThat(budget.tryAcquire(new byte[100])).isTrue();
  }
}
