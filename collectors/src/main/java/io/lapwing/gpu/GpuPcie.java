package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The PCIe link.
 *
 * <pre>
 * DCGM_FI_DEV_PCIE_LINK_GEN 5                     nvmlDeviceGetCurrPcieLinkGeneration
 * DCGM_FI_DEV_PCIE_LINK_WIDTH 16                  nvmlDeviceGetCurrPcieLinkWidth
 * DCGM_FI_DEV_PCIE_REPLAY_COUNTER 0               field 94
 * DCGM_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS 0     field 173
 * lapwing_gpu_pcie_errors_total{kind="bad_tlp"} 0 fields 95 and 174 to 183
 * lapwing_gpu_pcie_tx_bytes_total 1.2e+12         field 197
 * lapwing_gpu_pcie_rx_bytes_total 1.2e+12         field 198
 * </pre>
 *
 * <p>{@code nvmlDeviceGetPcieThroughput} is not used: each call takes 20 ms.
 */
final class GpuPcie extends GpuSubject {

  private static final FieldSamples FIELDS =
      new FieldSamples(
          Map.of(
              NvmlField.PCIE_REPLAY, DcgmMetrics.PCIE_REPLAY_COUNTER,
              NvmlField.PCIE_CORRECTABLE_ERRORS, DcgmMetrics.PCIE_COUNT_CORRECTABLE_ERRORS,
              NvmlField.PCIE_TX_BYTES, GpuMetrics.PCIE_TX_BYTES,
              NvmlField.PCIE_RX_BYTES, GpuMetrics.PCIE_RX_BYTES));

  private static final Map<NvmlField, List<String>> KINDS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(NvmlField.PCIE_REPLAY_ROLLOVER, List.of("replay_rollover")),
              Map.entry(NvmlField.PCIE_NAKS_RECEIVED, List.of("nak_received")),
              Map.entry(NvmlField.PCIE_RECEIVER_ERRORS, List.of("receiver")),
              Map.entry(NvmlField.PCIE_BAD_TLP, List.of("bad_tlp")),
              Map.entry(NvmlField.PCIE_NAKS_SENT, List.of("nak_sent")),
              Map.entry(NvmlField.PCIE_BAD_DLLP, List.of("bad_dllp")),
              Map.entry(NvmlField.PCIE_NON_FATAL_ERRORS, List.of("non_fatal")),
              Map.entry(NvmlField.PCIE_FATAL_ERRORS, List.of("fatal")),
              Map.entry(NvmlField.PCIE_UNSUPPORTED_REQUESTS, List.of("unsupported_request")),
              Map.entry(NvmlField.PCIE_LCRC_ERRORS, List.of("lcrc")),
              Map.entry(NvmlField.PCIE_LANE_ERRORS, List.of("lane"))));

  private static final List<FieldKey> KEYS = keys();

  GpuPcie() {
    super("gpu_pcie", "the PCIe link", Cadence.MEDIUM, KEYS);
  }

  @Override
  void collect(GpuRound round) {
    round.put(DcgmMetrics.PCIE_LINK_GEN, round.gpu().pcieLinkGeneration());
    round.put(DcgmMetrics.PCIE_LINK_WIDTH, round.gpu().pcieLinkWidth());
    FIELDS.put(round);
    KINDS.forEach((field, kind) -> round.put(GpuMetrics.PCIE_ERRORS, kind, round.field(field)));
  }

  private static List<FieldKey> keys() {
    List<FieldKey> keys = new ArrayList<>(FIELDS.keys());
    KINDS.keySet().forEach(field -> keys.add(field.whole()));
    return List.copyOf(keys);
  }
}
