package io.lapwing.agent.health.rules.lustre;

import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.PartStatus;
import io.lapwing.lustre.LustreMetrics;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * How long a target took to answer in the last minute, and before. The mean since the mount is the
 * baseline for this target and this work: it hardly moves while a target is slow, so that an hour
 * of slowness is still found, by a rule without state.
 *
 * @param now mean of the last minute, in seconds
 * @param requests answered in the last minute
 * @param before mean of the time before, in seconds
 * @param requestsBefore answered in the time before
 */
public record RpcWait(double now, double requests, double before, double requestsBefore) {

  private static final Duration WINDOW = Duration.ofMinutes(1);

  /** Empty if nothing was answered in the last minute, or nothing before. */
  public static Optional<RpcWait> of(PartStatus target, NodeSnapshot view) {
    OptionalDouble wait = grown(target, view, true);
    OptionalDouble requests = grown(target, view, false);
    double allWait = target.values().get(LustreMetrics.RPC_WAIT).orElse(0);
    double all = target.values().get(LustreMetrics.RPCS).orElse(0);
    if (wait.isEmpty() || requests.orElse(0) <= 0 || all - requests.orElse(0) <= 0) {
      return Optional.empty();
    }
    double requestsBefore = all - requests.getAsDouble();
    double waitBefore = Math.max(0, allWait - wait.getAsDouble());
    return Optional.of(
        new RpcWait(
            wait.getAsDouble() / requests.getAsDouble(),
            requests.getAsDouble(),
            waitBefore / requestsBefore,
            requestsBefore));
  }

  private static OptionalDouble grown(PartStatus target, NodeSnapshot view, boolean wait) {
    return view.trends()
        .increase(
            target.key(), wait ? LustreMetrics.RPC_WAIT : LustreMetrics.RPCS, List.of(), WINDOW);
  }

  /** Whether the wait is this many times the baseline, with enough requests in both. */
  public boolean above(double factor, double leastRequests, double leastHistory) {
    return requests >= leastRequests && requestsBefore >= leastHistory && now >= factor * before;
  }

  /** {@code 1.4 s}, {@code 85 ms}, {@code 0.4 ms}. */
  public static String text(double seconds) {
    double milliseconds = seconds * 1000;
    return seconds >= 1
        ? String.format(Locale.ROOT, "%.1f s", seconds)
        : String.format(Locale.ROOT, milliseconds >= 10 ? "%.0f ms" : "%.1f ms", milliseconds);
  }
}
