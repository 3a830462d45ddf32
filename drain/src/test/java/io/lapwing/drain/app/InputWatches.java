package io.lapwing.drain.app;

import io.lapwing.common.config.ConfigException;
import io.lapwing.drain.app.Configuration.Invocation;
import io.lapwing.drain.intake.Intake;
import io.lapwing.drain.intake.agents.HealthPoller.Round;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Inputs of a controller that asks the agents and reads SQS, both without fault. */
final class InputWatches {

  private InputWatches() {}

  static InputWatch polled() {
    try {
      InputWatch watch =
          InputWatch.of(
              ((Invocation.Run)
                      Configuration.read(
                          List.of("--agent.poll=30s"), Map.of(), ParallelClusterHost.NONE))
                  .configuration()
                  .settings());
      watch.polled(new Round(1, Map.of(), new Intake(List.of())));
      watch.queueRead(Optional.empty());
      return watch;
    } catch (ConfigException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
