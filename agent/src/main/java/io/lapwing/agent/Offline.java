package io.lapwing.agent;

import io.lapwing.agent.config.Settings;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.replay.ReplayEngine;
import java.time.Instant;
import java.util.Optional;

/** What can be said of a node or a log without an agent that runs. */
final class Offline {

  private Offline() {}

  /** Looks at this machine for a moment. */
  static HealthReport look(Settings settings) {
    return HealthReport.unjudged(
        Instant.now(), "there are no rules to judge " + settings.hostname() + " by", "", false);
  }

  /** Judges a kernel log that was kept; empty where there are no rules. */
  static Optional<ReplayEngine> replay() {
    return Optional.empty();
  }
}
