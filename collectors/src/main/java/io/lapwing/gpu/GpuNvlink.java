package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All NVLinks of the GPU together.
 *
 * <pre>
 * DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL 412.5                  fields 138 and 139 over all links, MB/s since the last round
 * DCGM_FI_DEV_NVLINK_BANDWIDTH_L0 22.9                      the same of link 0
 * DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL 0           field 38, and 45, 52, 59
 * lapwing_gpu_nvlink_tx_bytes_total 1.2e+12                 field 138
 * lapwing_gpu_nvlinks 18                                    field 91
 * lapwing_gpu_nvlink_speed_bytes_per_second 2.6562e+10      field 90
 * lapwing_gpu_nvswitch_links 18                             field 147
 * </pre>
 */
final class GpuNvlink extends GpuSubject {

  private static final double KIBIBYTE = 1024;
  private static final double MEGABYTE = 1e6;

  private static final FieldKey TX = NvmlField.NVLINK_DATA_TX.allLinks();
  private static final FieldKey RX = NvmlField.NVLINK_DATA_RX.allLinks();
  private static final FieldKey TX_0 = NvmlField.NVLINK_DATA_TX.link(0);
  private static final FieldKey RX_0 = NvmlField.NVLINK_DATA_RX.link(0);

  private static final PlainFields FIELDS =
      new PlainFields(
          Map.of(
              NvmlField.NVLINK_CRC_FLIT_ERRORS, DcgmMetrics.NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL,
              NvmlField.NVLINK_CRC_DATA_ERRORS, DcgmMetrics.NVLINK_CRC_DATA_ERROR_COUNT_TOTAL,
              NvmlField.NVLINK_REPLAY_ERRORS, DcgmMetrics.NVLINK_REPLAY_ERROR_COUNT_TOTAL,
              NvmlField.NVLINK_RECOVERY_ERRORS, DcgmMetrics.NVLINK_RECOVERY_ERROR_COUNT_TOTAL,
              NvmlField.NVLINK_LINK_COUNT, GpuMetrics.NVLINKS,
              NvmlField.NVSWITCH_CONNECTED_LINK_COUNT, GpuMetrics.NVSWITCH_LINKS));

  private static final List<FieldKey> KEYS = keys();

  private Map<FieldKey, Double> kibibytes = Map.of();
  private long readAt;

  GpuNvlink() {
    super("gpu_nvlink", "NVLink as a whole", Cadence.FAST, KEYS);
  }

  @Override
  void collect(GpuRound round) {
    FIELDS.put(round);
    round.put(
        GpuMetrics.NVLINK_SPEED,
        round.field(NvmlField.NVLINK_SPEED_COMMON).map(speed -> speed * MEGABYTE));
    round.put(GpuMetrics.NVLINK_TX_BYTES, round.field(TX).map(sent -> sent * KIBIBYTE));
    round.put(GpuMetrics.NVLINK_RX_BYTES, round.field(RX).map(received -> received * KIBIBYTE));
    bandwidths(round);
  }

  @Override
  void forget() {
    kibibytes = Map.of();
  }

  private void bandwidths(GpuRound round) {
    Map<FieldKey, Double> now = new HashMap<>();
    for (FieldKey key : List.of(TX, RX, TX_0, RX_0)) {
      round.field(key).toOptional().ifPresent(value -> now.put(key, value));
    }
    Optional<Double> tx = rate(now, TX, round.nanos());
    Optional<Double> rx = rate(now, RX, round.nanos());
    put(round, DcgmMetrics.NVLINK_TX_BANDWIDTH_TOTAL, tx);
    put(round, DcgmMetrics.NVLINK_RX_BANDWIDTH_TOTAL, rx);
    put(round, DcgmMetrics.NVLINK_BANDWIDTH_TOTAL, sum(tx, rx));
    put(
        round,
        DcgmMetrics.NVLINK_BANDWIDTH_L0,
        sum(rate(now, TX_0, round.nanos()), rate(now, RX_0, round.nanos())));
    kibibytes = now;
    readAt = round.nanos();
  }

  /** MB/s since the last round; nothing after a reset of the counter. */
  private Optional<Double> rate(Map<FieldKey, Double> now, FieldKey key, long at) {
    Double before = kibibytes.get(key);
    Double after = now.get(key);
    if (before == null || after == null || after < before) {
      return Optional.empty();
    }
    double seconds = (at - readAt) / 1e9;
    return seconds > 0
        ? Optional.of((after - before) * KIBIBYTE / MEGABYTE / seconds)
        : Optional.empty();
  }

  private static Optional<Double> sum(Optional<Double> one, Optional<Double> other) {
    return one.flatMap(a -> other.map(b -> a + b));
  }

  private static void put(GpuRound round, Metric metric, Optional<Double> value) {
    value.map(Reading::of).ifPresent(reading -> round.put(metric, reading));
  }

  private static List<FieldKey> keys() {
    List<FieldKey> keys = new ArrayList<>(FIELDS.keys());
    keys.add(NvmlField.NVLINK_SPEED_COMMON.whole());
    keys.addAll(List.of(TX, RX, TX_0, RX_0));
    return List.copyOf(keys);
  }
}
