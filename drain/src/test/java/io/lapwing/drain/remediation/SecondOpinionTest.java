package io.lapwing.drain.remediation;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.drain.health.HealthReader.Answered;
import io.lapwing.drain.health.HealthReader.NotAsked;
import io.lapwing.drain.health.HealthReader.Silent;
import io.lapwing.drain.health.NodeHealth;
import io.lapwing.drain.health.NodeHealth.Verdict;
import io.lapwing.drain.health.Remedy;
import io.lapwing.drain.health.Urgency;
import io.lapwing.drain.policy.Policy;
import io.lapwing.drain.remediation.SecondOpinion.Uncertain;
import java.time.Instant;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SecondOpinionTest {

  /** Such as one whose Fabric Manager does not run. */
  @Test
  void aNodeThatIsFailingIsNotHealthyWhateverItAsksFor() {
    Instant now = Instant.EPOCH;
    NodeHealth failing =
        new NodeHealth(
            Verdict.FAILING,
            Remedy.RESTART_SERVICE,
            now,
            false,
            "",
            "",
            "GPU 0 has not joined the fabric",
            OptionalInt.of(8),
            Set.of(),
            Urgency.NOW,
            Set.of());
    assertThat(SecondOpinion.of(new Answered(failing), now, Policy.DEFAULT))
        .isEqualTo(
            new Uncertain(
                "the agent calls the node failing, and asks for restart_service: GPU 0 has not"
                    + " joined the fabric"));
  }

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
