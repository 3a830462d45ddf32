package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Each NVLink of the GPU, and sums of values that NVML provides per link only.
 *
 * <pre>
 * lapwing_gpu_nvlink_up{link="4"} 1                             field 165
 * lapwing_gpu_nvlink_down{link="9"} 1                           only links that are not active
 * lapwing_gpu_nvlinks_up 18
 * DCGM_FI_DEV_NVLINK_ERROR_DL_CRC 0                             field 163 summed, and 161, 162
 * DCGM_FI_DEV_NVLINK_COUNT_RX_ERRORS 0                          field 208 summed, and 201 to 221, NVLink 5
 * DCGM_FI_DEV_NVLINK_COUNT_SYMBOL_BER_FLOAT 1.5E-14             fields 222 and 220, largest of the links
 * lapwing_gpu_nvlink_errors_total{link="4",kind="dl_crc"} 17    only links with errors
 * </pre>
 */
final class GpuNvlinkLinks extends GpuSubject {

  /** The number of links of Hopper and Blackwell. An unsupported link is read once only. */
  private static final int USUAL = 18;

  /** {@code NVML_NVLINK_MAX_LINKS}. */
  private static final int MOST = 36;

  private static final FieldKey COUNT = NvmlField.NVLINK_LINK_COUNT.whole();

  private static final Map<NvmlField, Metric> ERRORS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(NvmlField.NVLINK_DL_REPLAY, DcgmMetrics.NVLINK_ERROR_DL_REPLAY),
              Map.entry(NvmlField.NVLINK_DL_RECOVERY, DcgmMetrics.NVLINK_ERROR_DL_RECOVERY),
              Map.entry(NvmlField.NVLINK_DL_CRC, DcgmMetrics.NVLINK_ERROR_DL_CRC),
              Map.entry(
                  NvmlField.NVLINK5_MALFORMED_PACKETS,
                  DcgmMetrics.NVLINK_COUNT_RX_MALFORMED_PACKET_ERRORS),
              Map.entry(
                  NvmlField.NVLINK5_BUFFER_OVERRUNS,
                  DcgmMetrics.NVLINK_COUNT_RX_BUFFER_OVERRUN_ERRORS),
              Map.entry(NvmlField.NVLINK5_RX_ERRORS, DcgmMetrics.NVLINK_COUNT_RX_ERRORS),
              Map.entry(
                  NvmlField.NVLINK5_RX_REMOTE_ERRORS, DcgmMetrics.NVLINK_COUNT_RX_REMOTE_ERRORS),
              Map.entry(
                  NvmlField.NVLINK5_RX_GENERAL_ERRORS, DcgmMetrics.NVLINK_COUNT_RX_GENERAL_ERRORS),
              Map.entry(
                  NvmlField.NVLINK5_LINK_INTEGRITY_ERRORS,
                  DcgmMetrics.NVLINK_COUNT_LOCAL_LINK_INTEGRITY_ERRORS),
              Map.entry(NvmlField.NVLINK5_TX_DISCARDS, DcgmMetrics.NVLINK_COUNT_TX_DISCARDS),
              Map.entry(
                  NvmlField.NVLINK5_RECOVERY_SUCCESSFUL,
                  DcgmMetrics.NVLINK_COUNT_LINK_RECOVERY_SUCCESSFUL_EVENTS),
              Map.entry(
                  NvmlField.NVLINK5_RECOVERY_FAILED,
                  DcgmMetrics.NVLINK_COUNT_LINK_RECOVERY_FAILED_EVENTS),
              Map.entry(
                  NvmlField.NVLINK5_RECOVERY_EVENTS, DcgmMetrics.NVLINK_COUNT_LINK_RECOVERY_EVENTS),
              Map.entry(
                  NvmlField.NVLINK5_EFFECTIVE_ERRORS, DcgmMetrics.NVLINK_COUNT_EFFECTIVE_ERRORS),
              Map.entry(
                  NvmlField.NVLINK5_SYMBOL_ERRORS, DcgmMetrics.NVLINK_COUNT_RX_SYMBOL_ERRORS)));

  private static final Map<NvmlField, Metric> TRAFFIC =
      new EnumMap<>(
          Map.of(
              NvmlField.NVLINK5_TX_PACKETS, DcgmMetrics.NVLINK_COUNT_TX_PACKETS,
              NvmlField.NVLINK5_TX_BYTES, DcgmMetrics.NVLINK_COUNT_TX_BYTES,
              NvmlField.NVLINK5_RX_PACKETS, DcgmMetrics.NVLINK_COUNT_RX_PACKETS,
              NvmlField.NVLINK5_RX_BYTES, DcgmMetrics.NVLINK_COUNT_RX_BYTES));

  private static final Map<NvmlField, Metric> ERROR_RATES =
      new EnumMap<>(
          Map.of(
              NvmlField.NVLINK5_EFFECTIVE_BER, DcgmMetrics.NVLINK_COUNT_EFFECTIVE_BER_FLOAT,
              NvmlField.NVLINK5_SYMBOL_BER, DcgmMetrics.NVLINK_COUNT_SYMBOL_BER_FLOAT));

  /** A key for each link, and the labels: made once, since each GPU has hundreds in a round. */
  private static final Map<NvmlField, List<FieldKey>> OF_LINKS = ofLinks();

  private static final List<List<String>> LABELS =
      IntStream.range(0, MOST).mapToObj(link -> List.of(String.valueOf(link))).toList();

  private static final List<FieldKey> KEYS = keys();

  /** Of this GPU; 0 as long as it is not known. */
  private int links;

  /** The fields of those beyond the usual ones; the same list each time, by which they are kept. */
  private List<FieldKey> more = List.of();

  GpuNvlinkLinks() {
    super("gpu_nvlink_links", "each NVLink", Cadence.SLOW, KEYS);
  }

  @Override
  void forget() {
    links = 0;
  }

  @Override
  void collect(GpuRound usual) {
    Reading<Double> count = usual.field(COUNT);
    count
        .toOptional()
        .ifPresent(value -> links = Math.max(USUAL, Math.min(MOST, value.intValue())));
    if (links == 0 && count instanceof Reading.Failed) {
      usual.note(count); // a sum over half of the links would look like a counter that jumps
      return;
    }
    links = Math.max(USUAL, links);
    List<FieldKey> beyond = eachLink(USUAL, links);
    if (!beyond.equals(more)) {
      more = beyond;
    }
    GpuRound round = more.isEmpty() ? usual : usual.with(more);
    states(round);
    ERRORS.forEach((field, metric) -> errors(round, field, metric));
    TRAFFIC.forEach((field, metric) -> sum(round, field, metric));
    ERROR_RATES.forEach((field, metric) -> largest(round, field, metric));
    if (round.field(NvmlField.NVLINK_DATA_TX.allLinks()).toOptional().isEmpty()) {
      sum(round, NvmlField.NVLINK5_TX_BYTES, GpuMetrics.NVLINK_TX_BYTES);
      sum(round, NvmlField.NVLINK5_RX_BYTES, GpuMetrics.NVLINK_RX_BYTES);
    }
  }

  private void states(GpuRound round) {
    for (int link = 0; link < links; link++) {
      round.put(GpuMetrics.NVLINK_UP, LABELS.get(link), of(round, NvmlField.NVLINK_STATE, link));
    }
    OptionalDouble up = total(round, NvmlField.NVLINK_STATE);
    up.ifPresent(active -> round.put(GpuMetrics.NVLINKS_UP, active));
    if (up.orElse(0) > 0) {
      down(round);
    }
  }

  /** Not where no link is active: a GPU that is rented alone, or in MIG mode, has none. */
  private void down(GpuRound round) {
    for (int link = 0; link < links; link++) {
      if (of(round, NvmlField.NVLINK_STATE, link)
          .toOptional()
          .filter(one -> one == 0)
          .isPresent()) {
        round.put(GpuMetrics.NVLINK_DOWN, LABELS.get(link), 1);
      }
    }
  }

  private void errors(GpuRound round, NvmlField field, Metric total) {
    sum(round, field, total);
    for (int link = 0; link < links; link++) {
      double errors = orZero(of(round, field, link));
      if (errors > 0) {
        round.put(GpuMetrics.NVLINK_ERRORS, List.of(String.valueOf(link), kind(field)), errors);
      }
    }
  }

  private void sum(GpuRound round, NvmlField field, Metric total) {
    for (int link = 0; link < links; link++) {
      round.note(of(round, field, link));
    }
    total(round, field).ifPresent(sum -> round.put(total, sum));
  }

  private static Reading<Double> of(GpuRound round, NvmlField field, int link) {
    return round.field(Objects.requireNonNull(OF_LINKS.get(field)).get(link));
  }

  private static double orZero(Reading<Double> reading) {
    return reading instanceof Reading.Present<Double> present ? present.value() : 0;
  }

  /** Empty if a link failed: a partial sum would look like a counter reset. */
  private OptionalDouble total(GpuRound round, NvmlField field) {
    double sum = 0;
    boolean any = false;
    for (int link = 0; link < links; link++) {
      Reading<Double> one = of(round, field, link);
      if (one instanceof Reading.Failed) {
        return OptionalDouble.empty();
      }
      any |= one instanceof Reading.Present;
      sum += orZero(one);
    }
    return any ? OptionalDouble.of(sum) : OptionalDouble.empty();
  }

  private void largest(GpuRound round, NvmlField field, Metric metric) {
    OptionalDouble largest = OptionalDouble.empty();
    for (int link = 0; link < links; link++) {
      Reading<Double> packed = of(round, field, link);
      round.note(packed);
      if (packed.toOptional().isPresent()) {
        double rate = unpacked(packed.toOptional().get().longValue());
        largest = OptionalDouble.of(Math.max(rate, largest.orElse(0)));
      }
    }
    largest.ifPresent(rate -> round.put(metric, rate));
  }

  /**
   * A mantissa in bits 8 to 11 and below it a decimal exponent without its sign, as DCGM has it.
   */
  static double unpacked(long packed) {
    return Double.parseDouble((packed >> 8 & 0xf) + "e-" + (packed & 0xff));
  }

  private static String kind(NvmlField field) {
    return field.name().toLowerCase(Locale.ROOT).replaceFirst("^nvlink5?_", "");
  }

  private static List<FieldKey> keys() {
    List<FieldKey> keys = new ArrayList<>(eachLink(0, USUAL));
    keys.add(COUNT);
    keys.add(NvmlField.NVLINK_DATA_TX.allLinks());
    return List.copyOf(keys);
  }

  private static List<FieldKey> eachLink(int from, int until) {
    return OF_LINKS.values().stream()
        .flatMap(links -> links.subList(from, until).stream())
        .toList();
  }

  private static Map<NvmlField, List<FieldKey>> ofLinks() {
    Map<NvmlField, List<FieldKey>> keys = new EnumMap<>(NvmlField.class);
    Stream.of(
            List.of(NvmlField.NVLINK_STATE),
            ERRORS.keySet(),
            TRAFFIC.keySet(),
            ERROR_RATES.keySet())
        .flatMap(Collection::stream)
        .forEach(field -> keys.put(field, IntStream.range(0, MOST).mapToObj(field::link).toList()));
    return keys;
  }
}
