package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Whether the InfoROM, in which the board keeps its serial number, its error counts and its
 * remapped rows, is sound.
 *
 * <pre>
 * DCGM_FI_DEV_INFOROM_CONFIG_VALID 1              nvmlDeviceValidateInforom; 0 where it answers CORRUPTED_INFOROM
 * DCGM_FI_DEV_INFOROM_CONFIG_CHECK 1592594996     nvmlDeviceGetInforomConfigurationChecksum
 * </pre>
 *
 * <p>The first call reads the flash, so it is made once an hour, as DCGM's health watch does, and
 * the page shows the last answer in between. It is made in the first round of a GPU and not some
 * time later: {@code nvidia-smi} makes it at every start too, a corrupted InfoROM is mostly there
 * from the boot on, and one page or one look must not miss it. What may have mended it, a reset of
 * the GPU or another load of the driver, is a reason to ask before the hour is over. An hour
 * without an answer after a failure is an hour without a sample.
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
        "whether the InfoROM is sound; asked once an hour",
        Cadence.SLOW,
        NvmlField.TOTAL_ENERGY);
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

  /** Energy is counted from the driver's load or the GPU's reset. */
  private boolean wasReset(GpuRound round) {
    double before = energy;
    energy = round.field(NvmlField.TOTAL_ENERGY).toOptional().orElse(before);
    return energy < before;
  }

  /** A clock that was set back would else put the next answer off for as long. */
  @SuppressWarnings("ReferenceEquality") // another handle is the same GPU, opened anew
  private boolean isDue(GpuRound round) {
    return round.gpu() != asked
        || round.now().isBefore(askedAt)
        || !round.now().isBefore(askedAt.plus(APART));
  }

  /** A failure counts once, not in every round until the next answer. */
  private void ask(GpuRound round) {
    asked = round.gpu();
    askedAt = round.now();
    valid = asked.inforomValid().map(sound -> sound ? 1 : 0);
    checksum = asked.inforomChecksum();
    round.note(valid);
    round.note(checksum);
  }
}
