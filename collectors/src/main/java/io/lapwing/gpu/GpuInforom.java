package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Validity of the InfoROM, in which the board stores its serial number, error counts and remapped
 * rows.
 *
 * <pre>
 * DCGM_FI_DEV_INFOROM_CONFIG_VALID 1              nvmlDeviceValidateInforom; 0 for CORRUPTED_INFOROM
 * DCGM_FI_DEV_INFOROM_CONFIG_CHECK 1592594996     nvmlDeviceGetInforomConfigurationChecksum
 * </pre>
 *
 * <p>The first call reads the flash. It is made once an hour, as in DCGM's health watch, and the
 * last result is exposed in between. The first round of a GPU makes it already: a corrupted InfoROM
 * usually exists from boot, and a single scrape or {@code lapwing check} must report it. A GPU
 * reset or a driver reload may repair the InfoROM and triggers the call early. After a failure
 * there is no sample until the next call.
 */
final class GpuInforom extends GpuSubject {

  private static final Duration APART = Duration.ofHours(1);

  private @Nullable NvmlGpu asked;
  private Instant askedAt = Instant.MIN;
  private double energy;
  private Reading<Integer> valid = new Reading.Unsupported<>("");
  private Reading<Long> checksum = new Reading.Unsupported<>("");

  GpuInforom() {
    super(
        "gpu_inforom",
        "whether the InfoROM is valid; read once an hour",
        Cadence.SLOW,
        List.of(NvmlField.TOTAL_ENERGY.whole()));
  }

  @Override
  void collect(GpuRound round) {
    boolean reset = wasReset(round);
    if (reset || isDue(round)) {
      ask(round);
    }
    valid.toOptional().ifPresent(answer -> round.put(DcgmMetrics.INFOROM_CONFIG_VALID, answer));
    checksum.toOptional().ifPresent(sum -> round.put(DcgmMetrics.INFOROM_CONFIG_CHECK, sum));
  }

  /** The energy counter restarts with a driver load or a GPU reset. */
  private boolean wasReset(GpuRound round) {
    double before = energy;
    energy = round.field(NvmlField.TOTAL_ENERGY).toOptional().orElse(before);
    return energy < before;
  }

  /** A clock that was set back must not delay the next call. */
  @SuppressWarnings("ReferenceEquality") // another handle is the same GPU, opened again
  private boolean isDue(GpuRound round) {
    return round.gpu() != asked
        || round.now().isBefore(askedAt)
        || !round.now().isBefore(askedAt.plus(APART));
  }

  /** Counts a failure once, not in every round until the next call. */
  private void ask(GpuRound round) {
    asked = round.gpu();
    askedAt = round.now();
    valid = asked.inforomValid().map(sound -> sound ? 1 : 0);
    checksum = asked.inforomChecksum();
    round.note(valid);
    round.note(checksum);
  }
}
