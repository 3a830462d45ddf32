package io.lapwing.agent.health.rules.training;

import io.lapwing.agent.health.HealthRule;
import io.lapwing.agent.health.rules.gpu.RuleText;
import io.lapwing.training.TrainingSource;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

public interface TrainingRule extends HealthRule {

  @Override
  default String kind() {
    return TrainingSource.KIND;
  }

  /** {@code 12 s}, {@code 1.5 s}, {@code 0.45 s}, {@code 3.2 ms}. */
  static String seconds(double seconds) {
    if (seconds < 0.01) {
      return String.format(Locale.ROOT, "%.1f ms", 1000 * seconds);
    }
    String form = seconds < 1 ? "%.3f s" : seconds < 10 ? "%.2f s" : "%.0f s";
    return String.format(Locale.ROOT, form, seconds);
  }

  /** What a window of that many seconds covers: {@code 4 min}. */
  static String window(double covered) {
    Duration all = Duration.ofSeconds(Math.round(covered));
    return RuleText.duration(
        all.compareTo(Duration.ofMinutes(2)) < 0
            ? all
            : Duration.ofMinutes(Math.round(covered / 60)));
  }

  /** All rules of this package, in the order of the documentation. */
  static List<HealthRule> all() {
    return List.of(
        new TrainingStall(),
        new TrainingRankGone(),
        new TrainingStraggler(),
        new StragglersUnknown());
  }
}
