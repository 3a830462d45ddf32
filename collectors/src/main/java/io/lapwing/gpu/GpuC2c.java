package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The chip-to-chip links of the GPU to a Grace CPU; another GPU has none of these. DCGM reads the
 * first link only, and so have the families with its names.
 *
 * <pre>
 * DCGM_FI_DEV_C2C_LINK_COUNT 5                                 field 170
 * DCGM_FI_DEV_C2C_LINK_STATUS 1                                field 171 of link 0
 * DCGM_FI_DEV_C2C_MAX_BANDWIDTH 44712                          field 172 of link 0, MB/s
 * DCGM_FI_DEV_C2C_LINK_ERROR_REPLAY 0                          field 232 of link 0, and 231, 233
 * lapwing_gpu_c2c_links_up 5                                   field 171
 * lapwing_gpu_c2c_errors_total{link="3",kind="replay"} 17      only links with errors
 * </pre>
 */
final class GpuC2c extends GpuSubject {

  /** More than any GPU has: 10 of a GH200, 5 of a GB200. */
  private static final int MOST = 32;

  private static final FieldKey COUNT = NvmlField.C2C_LINK_COUNT.whole();

  private static final Map<NvmlField, Metric> OF_FIRST =
      new EnumMap<>(
          Map.of(
              NvmlField.C2C_STATE, DcgmMetrics.C2C_LINK_STATUS,
              NvmlField.C2C_SPEED, DcgmMetrics.C2C_MAX_BANDWIDTH,
              NvmlField.C2C_CRC_ERRORS, DcgmMetrics.C2C_LINK_ERROR_INTR,
              NvmlField.C2C_REPLAYS, DcgmMetrics.C2C_LINK_ERROR_REPLAY,
              NvmlField.C2C_REPLAYS_B2B, DcgmMetrics.C2C_LINK_ERROR_REPLAY_B2B));

  private static final Map<NvmlField, String> ERRORS =
      new EnumMap<>(
          Map.of(
              NvmlField.C2C_CRC_ERRORS, "crc",
              NvmlField.C2C_REPLAYS, "replay",
              NvmlField.C2C_REPLAYS_B2B, "replay_b2b"));

  private int links;

  /** The fields of the links; the same list each time, by which they are kept. */
  private List<FieldKey> keys = List.of();

  GpuC2c() {
    super("gpu_c2c", "C2C links to a Grace CPU", Cadence.SLOW, List.of(COUNT));
  }

  @Override
  void collect(GpuRound usual) {
    Reading<Double> count = usual.field(COUNT);
    int now = Math.min(MOST, count.toOptional().map(Double::intValue).orElse(0));
    if (now <= 0) {
      usual.note(count);
      return;
    }
    if (now != links) {
      links = now;
      keys = keys(links);
    }
    usual.put(DcgmMetrics.C2C_LINK_COUNT, count);
    GpuRound round = usual.with(keys);
    OF_FIRST.forEach((field, metric) -> round.put(metric, round.field(field.link(0))));
    states(round);
    ERRORS.forEach((field, kind) -> errors(round, field, kind));
  }

  /** Absent if a link did not answer, since its state is unknown. */
  private void states(GpuRound round) {
    double up = 0;
    boolean all = true;
    for (int link = 0; link < links; link++) {
      Reading<Double> state = read(round, NvmlField.C2C_STATE, link);
      all &= state instanceof Reading.Present;
      up += state.toOptional().orElse(0.0);
    }
    if (all) {
      round.put(GpuMetrics.C2C_LINKS_UP, up);
    }
  }

  private void errors(GpuRound round, NvmlField field, String kind) {
    for (int link = 0; link < links; link++) {
      double errors = read(round, field, link).toOptional().orElse(0.0);
      if (errors > 0) {
        round.put(GpuMetrics.C2C_ERRORS, List.of(String.valueOf(link), kind), errors);
      }
    }
  }

  /** The first link's failures are counted with its own families. */
  private static Reading<Double> read(GpuRound round, NvmlField field, int link) {
    Reading<Double> reading = round.field(field.link(link));
    if (link > 0) {
      round.note(reading);
    }
    return reading;
  }

  private static List<FieldKey> keys(int links) {
    List<FieldKey> keys = new ArrayList<>();
    for (int link = 0; link < links; link++) {
      for (NvmlField field : OF_FIRST.keySet()) {
        if (link == 0 || field != NvmlField.C2C_SPEED) {
          keys.add(field.link(link));
        }
      }
    }
    return List.copyOf(keys);
  }
}
