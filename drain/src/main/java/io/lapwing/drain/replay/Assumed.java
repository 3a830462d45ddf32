package io.lapwing.drain.replay;

import io.lapwing.drain.health.Remedy;
import java.time.Duration;
import java.util.Map;

/**
 * Values that no record shows.
 *
 * @param gpus of a node whose record does not show them
 * @param takes how long each repair takes
 */
public record Assumed(int gpus, Map<Remedy, Duration> takes) {

  public Assumed {
    takes = Map.copyOf(takes);
  }
}
