package io.lapwing.agent.health;

import java.time.Instant;

/**
 * What is wrong, as it is shown: a symptom that held, with the moment since when it does.
 *
 * @param since when it began; stands still for as long as the finding does
 * @param last when it was seen last
 */
public record Finding(Detection symptom, Instant since, Instant last) {

  public String rule() {
    return symptom.rule();
  }

  public Subject subject() {
    return symptom.subject();
  }

  public Disposition call() {
    return symptom.call();
  }
}
