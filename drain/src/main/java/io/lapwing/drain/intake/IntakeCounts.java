package io.lapwing.drain.intake;

import java.util.Map;

/** How many messages and alerts had which result, since the start. */
public record IntakeCounts(Map<Series, Long> counts) {

  public IntakeCounts {
    counts = Map.copyOf(counts);
  }

  /** One series. */
  public record Series(Channel channel, Result result) {}

  /** 0 before the first. */
  public long of(Channel channel, Result result) {
    return counts.getOrDefault(new Series(channel, result), 0L);
  }
}
