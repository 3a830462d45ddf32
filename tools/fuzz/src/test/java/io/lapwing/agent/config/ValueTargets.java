package io.lapwing.agent.config;

import static io.lapwing.fuzz.Target.demand;

import io.lapwing.common.config.DurationText;
import io.lapwing.common.config.ListenAddress;
import io.lapwing.common.config.ValueType;
import io.lapwing.common.text.TimeText;
import io.lapwing.fuzz.Target;
import java.time.Duration;
import java.util.List;

/** Single values: durations, addresses, lists of pages. */
public final class ValueTargets {

  private ValueTargets() {}

  public static List<Target> all() {
    return List.of(
        Target.ofText("values", ValueTargets::values)
            .seeds(
                "500ms",
                "7d",
                "1h30m",
                "1.5s",
                ".5h",
                "0",
                "[::1]:9754",
                ":0",
                "host:65535",
                "http://localhost:8000/metrics,http://[::1]:9/x?y"));
  }

  private static void values(String text) {
    DurationText.read(text)
        .ifPresent(
            duration -> {
              demand(duration.compareTo(Duration.ZERO) > 0, "no time at all");
              demand(
                  DurationText.read(TimeText.exact(duration)).isPresent()
                      || duration.toMillis() > 999_999_999,
                  "a duration that is not read back");
            });
    DurationText.GoDurationText.read(text)
        .ifPresent(d -> demand(!d.isNegative(), "a negative duration"));
    ListenAddress.parse(text)
        .ifPresent(a -> demand(ListenAddress.parse(a.toString()).isPresent(), "not read back"));
    try {
      InferenceTargets.parse(text);
    } catch (ValueType.Invalid declared) {
      demand(!declared.text().isEmpty(), "no words");
    }
    try {
      NodeValueTypes.RAS_ENDPOINT.parse(text);
    } catch (ValueType.Invalid declared) {
      demand(!declared.text().isEmpty(), "no words");
    }
  }
}
