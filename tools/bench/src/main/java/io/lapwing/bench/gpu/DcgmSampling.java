package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.dcgm.DcgmEngine;
import io.lapwing.dcgm.DcgmEntity;
import io.lapwing.dcgm.DcgmFieldId;
import io.lapwing.dcgm.DcgmReturn;
import io.lapwing.dcgm.DcgmValues;
import io.lapwing.dcgm.DcgmWatch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Watches fields for some periods; what the engine refuses is a line of the state. */
final class DcgmSampling {

  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final DcgmEngine engine;
  private final StateLines lines;

  DcgmSampling(DcgmEngine engine, StateLines lines) {
    this.engine = engine;
    this.lines = lines;
  }

  /** The values after so many seconds; empty if there are none, which is reported. */
  Optional<DcgmValues> of(
      String what, List<DcgmEntity> entities, List<DcgmFieldId> fields, int seconds)
      throws InterruptedException {
    Reading<DcgmWatch> begun = engine.watch(entities, fields, PERIOD);
    if (!(begun instanceof Reading.Present<DcgmWatch> present)) {
      fields.forEach(field -> reject(field, reason(begun)));
      lines.absent(what, reason(begun));
      return Optional.empty();
    }
    try (DcgmWatch watch = present.value()) {
      for (int second = 0; second < seconds; second++) {
        watch.latest();
        Thread.sleep(PERIOD.toMillis());
      }
      Reading<DcgmValues> values = watch.latest();
      if (values.toOptional().isEmpty()) {
        lines.absent(what, reason(values));
      }
      rejected(what, watch.rejected());
      return values.toOptional();
    }
  }

  private void rejected(String what, Map<DcgmFieldId, String> fields) {
    fields.forEach(
        (field, reason) -> {
          reject(field, reason);
          lines.absent(what + ", " + field.title(), "rejected: " + reason);
        });
  }

  private void reject(DcgmFieldId field, String reason) {
    code(reason).ifPresent(code -> lines.put("dcgm.reject." + field.id(), String.valueOf(code)));
  }

  /** Without its sign, as lines of the state have it; empty for a reason that is no code. */
  static OptionalInt code(String reason) {
    return Arrays.stream(DcgmReturn.values())
        .filter(code -> code != DcgmReturn.OK && code != DcgmReturn.UNKNOWN)
        .filter(code -> code.reason().equals(reason))
        .mapToInt(code -> -code.code())
        .findFirst();
  }

  /** Why a reading has no value. */
  static String reason(Reading<?> reading) {
    return reading
        .failure()
        .orElse(
            (reading instanceof Reading.Missing
                    ? DcgmReturn.FUNCTION_NOT_FOUND
                    : DcgmReturn.NOT_SUPPORTED)
                .reason());
  }
}
