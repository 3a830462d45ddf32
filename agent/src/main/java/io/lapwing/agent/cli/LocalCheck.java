package io.lapwing.agent.cli;

import io.lapwing.agent.Wiring;
import io.lapwing.agent.config.ConfigException;
import io.lapwing.agent.config.Settings;
import io.lapwing.agent.config.Settings.LogLevel;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.log.Logging;
import io.lapwing.agent.sources.PollClock;
import java.time.Duration;
import java.time.Instant;

/** The health of this node if no agent is running. */
public final class LocalCheck {

  private static final Duration STEP = Duration.ofMillis(10);

  private LocalCheck() {}

  /** Polls this machine once; reads the state of an earlier agent and does not write it. */
  public static HealthReport look(Settings settings) {
    Logging.start(new Settings.Log(LogLevel.ERROR, settings.log().format()));
    try (Wiring wiring = new Wiring(settings.justOnce(), PollClock.SYSTEM)) {
      wiring.start();
      Duration patience = settings.cadence().deadline().multipliedBy(2);
      for (Duration waited = Duration.ZERO;
          !wiring.evaluated() && waited.compareTo(patience) < 0;
          waited = waited.plus(STEP)) {
        Thread.sleep(STEP.toMillis());
      }
      return wiring.health().report();
    } catch (ConfigException wrong) {
      return notEvaluated(String.join("; ", wrong.problems()));
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return notEvaluated("the check was interrupted");
    }
  }

  private static HealthReport notEvaluated(String why) {
    return HealthReport.notEvaluated(Instant.now(), why, "", false);
  }
}
