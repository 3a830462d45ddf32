package io.lapwing.agent.health;

import java.time.Instant;

/**
 * A detection that lasted for the time that its rule requires.
 *
 * @param since when it started; constant while the finding is open
 * @param last when it was last seen
 */
public record Finding(Detection detection, Instant since, Instant last) {

  public String rule() {
    return detection.rule();
  }

  public Subject subject() {
    return detection.subject();
  }

  public Disposition disposition() {
    return detection.disposition();
  }
}
