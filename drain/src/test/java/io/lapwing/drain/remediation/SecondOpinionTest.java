package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.health.HealthReader.NotAsked;
import io.lapwing.drain.health.HealthReader.Silent;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SecondOpinionTest {

  /** Silence may be the effect of a fault, and a node is replaced for it. */
  @Test
  void anAgentThatWasNotAskedIsNotSilent() {
    Instant now = Instant.EPOCH;
    assertThat(SecondOpinion.of(new NotAsked("no time"), now, Policy.DEFAULT))
        .isEqualTo(new Uncertain("the agent was not asked: no time", false));
    assertThat(SecondOpinion.of(new Silent("no route"), now, Policy.DEFAULT))
        .isEqualTo(new Uncertain("the agent does not answer: no route", true));
  }
}
