package io.lapwing.dcgm;

import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Counts notifications by GPU and condition: no queue that could overflow. Thread-safe. */
final class DcgmViolations {

  /** {@code DCGM_MAX_NUM_DEVICES}. */
  static final int GPUS = 32;

  private final Map<DcgmPolicyCondition, AtomicLongArray> counts =
      Arrays.stream(DcgmPolicyCondition.values())
          .collect(
              Collectors.toUnmodifiableMap(
                  Function.identity(), condition -> new AtomicLongArray(GPUS)));

  /** A GPU or a condition that DCGM cannot have is not counted. */
  void add(int gpu, int bit) {
    if (isNumbered(gpu)) {
      DcgmPolicyCondition.ofBit(bit)
          .map(counts::get)
          .ifPresent(ofCondition -> ofCondition.incrementAndGet(gpu));
    }
  }

  long count(int gpu, DcgmPolicyCondition condition) {
    AtomicLongArray ofCondition = counts.get(condition);
    return isNumbered(gpu) && ofCondition != null ? ofCondition.get(gpu) : 0;
  }

  private static boolean isNumbered(int gpu) {
    return gpu >= 0 && gpu < GPUS;
  }
}
