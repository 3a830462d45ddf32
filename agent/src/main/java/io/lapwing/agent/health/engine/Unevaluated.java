package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.GpuStatus;
import io.lapwing.agent.health.HealthReport;
import io.lapwing.agent.health.NodeSnapshot;
import io.lapwing.agent.health.rules.gpu.DcgmHealth;
import io.lapwing.common.log.Log;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What a report lists as not evaluated, with the reason: the rules without data, and what DCGM does
 * not answer. Used by one thread.
 */
final class Unevaluated {

  private static final Log LOG = Log.of(Unevaluated.class);

  /** Which families are read rarely changes. */
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  private final Function<NodeSnapshot, Map<String, String>> rules;
  private Instant started = Instant.MAX;
  private Instant at = Instant.MIN;
  private Map<String, String> withoutData = Map.of();
  private Map<String, String> unanswered = Map.of();
  private Map<String, String> all = Map.of();

  /** {@code rules}: those without data, with the reason. */
  Unevaluated(Function<NodeSnapshot, Map<String, String>> rules) {
    this.rules = rules;
  }

  /**
   * Rules are looked up once a minute. In the first minute some sources have not been read yet, so
   * nothing is known to be missing.
   */
  Map<String, String> of(NodeSnapshot view) {
    Instant now = view.now();
    started = started.isAfter(now) ? now : started;
    if (now.isBefore(started.plus(INTERVAL))) {
      at = Instant.MIN;
      return rules.apply(view).keySet().stream()
          .collect(Collectors.toMap(rule -> rule, rule -> HealthReport.NO_DATA_YET));
    }
    boolean due = at.plus(INTERVAL).isBefore(now) || at.isAfter(now);
    if (due) {
      at = now;
      withoutData = rules.apply(view);
    }
    Map<String, String> before = unanswered;
    if (view.gpus().stream().anyMatch(GpuStatus::answers)) {
      unanswered = unanswered(view); // Otherwise nothing is known of it.
    }
    if (due || !unanswered.equals(before)) {
      log(before);
      all = new TreeMap<>(withoutData);
      all.putAll(unanswered);
    }
    return all;
  }

  private static Map<String, String> unanswered(NodeSnapshot view) {
    Map<String, String> unanswered = new TreeMap<>();
    MissingActivity.why(view).ifPresent(why -> unanswered.put(MissingActivity.NAME, why));
    MissingDcgmHealth.why(view).ifPresent(why -> unanswered.put(DcgmHealth.NAME, why));
    return unanswered;
  }

  private void log(Map<String, String> before) {
    unanswered.forEach(
        (what, why) -> {
          if (!why.equals(before.get(what))) {
            LOG.info("no data", "what", what, "why", why);
          }
        });
    before.keySet().stream()
        .filter(what -> !unanswered.containsKey(what))
        .forEach(what -> LOG.info("data again", "what", what));
  }
}
