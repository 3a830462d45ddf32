package io.lapwing.gpu;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.Reading;
import io.lapwing.gpu.GpuSubject.PlainFields;
import io.lapwing.metric.Metric;
import io.lapwing.nvml.FieldKey;
import io.lapwing.nvml.NvmlField;
import io.lapwing.nvml.NvmlGpu.EccCounter;
import io.lapwing.nvml.NvmlGpu.EccError;
import io.lapwing.nvml.NvmlGpu.MemoryLocation;
import io.lapwing.nvml.NvmlGpu.RowRemapHistogram;
import io.lapwing.nvml.NvmlGpu.SramEccStatus;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Subjects without state about errors of a GPU: ECC, remapped rows, PCIe, recovery action. */
final class GpuErrors {

  private static final PlainFields ECC =
      new PlainFields(
          Map.of(
              NvmlField.ECC_CURRENT, DcgmMetrics.ECC_CURRENT,
              NvmlField.ECC_PENDING, DcgmMetrics.ECC_PENDING,
              NvmlField.ECC_SBE_VOL_TOTAL, DcgmMetrics.ECC_SBE_VOL_TOTAL,
              NvmlField.ECC_DBE_VOL_TOTAL, DcgmMetrics.ECC_DBE_VOL_TOTAL,
              NvmlField.ECC_SBE_AGG_TOTAL, DcgmMetrics.ECC_SBE_AGG_TOTAL,
              NvmlField.ECC_DBE_AGG_TOTAL, DcgmMetrics.ECC_DBE_AGG_TOTAL));

  private static final PlainFields REMAP =
      new PlainFields(
          Map.of(
              NvmlField.RETIRED_SBE, DcgmMetrics.RETIRED_SBE,
              NvmlField.RETIRED_DBE, DcgmMetrics.RETIRED_DBE,
              NvmlField.RETIRED_PENDING, DcgmMetrics.RETIRED_PENDING,
              NvmlField.REMAPPED_CORRECTABLE, DcgmMetrics.CORRECTABLE_REMAPPED_ROWS,
              NvmlField.REMAPPED_UNCORRECTABLE, DcgmMetrics.UNCORRECTABLE_REMAPPED_ROWS,
              NvmlField.REMAPPED_PENDING, DcgmMetrics.ROW_REMAP_PENDING,
              NvmlField.REMAPPED_FAILURE, DcgmMetrics.ROW_REMAP_FAILURE));

  private static final PlainFields PCIE_CORRECTABLE =
      new PlainFields(
          Map.of(NvmlField.PCIE_CORRECTABLE_ERRORS, DcgmMetrics.PCIE_COUNT_CORRECTABLE_ERRORS));

  private static final Map<NvmlField, List<String>> PCIE_KINDS =
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

  private static final Map<List<Object>, Metric> ECC_BY_LOCATION =
      Map.of(
          List.of(EccError.CORRECTED, EccCounter.VOLATILE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_SBE_VOL_DEV,
          List.of(EccError.UNCORRECTED, EccCounter.VOLATILE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_DBE_VOL_DEV,
          List.of(EccError.CORRECTED, EccCounter.AGGREGATE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_SBE_AGG_DEV,
          List.of(EccError.UNCORRECTED, EccCounter.AGGREGATE, MemoryLocation.DRAM),
          DcgmMetrics.ECC_DBE_AGG_DEV,
          List.of(EccError.CORRECTED, EccCounter.VOLATILE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_SBE_VOL_SRM,
          List.of(EccError.UNCORRECTED, EccCounter.VOLATILE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_DBE_VOL_SRM,
          List.of(EccError.CORRECTED, EccCounter.AGGREGATE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_SBE_AGG_SRM,
          List.of(EccError.UNCORRECTED, EccCounter.AGGREGATE, MemoryLocation.SRAM),
          DcgmMetrics.ECC_DBE_AGG_SRM);

  /** One counter of {@code nvmlDeviceGetMemoryErrorCounter}, with its labels and DCGM's name. */
  private record Counter(
      EccError error,
      EccCounter counter,
      MemoryLocation location,
      List<String> labels,
      @Nullable Metric dcgm) {}

  private static final List<Counter> COUNTERS = counters();

  private GpuErrors() {}

  private static List<Counter> counters() {
    List<Counter> all = new ArrayList<>();
    for (EccError error : EccError.values()) {
      for (EccCounter counter : EccCounter.values()) {
        for (MemoryLocation location : MemoryLocation.values()) {
          all.add(
              new Counter(
                  error,
                  counter,
                  location,
                  List.of(word(error), word(counter), word(location)),
                  ECC_BY_LOCATION.get(List.of(error, counter, location))));
        }
      }
    }
    return List.copyOf(all);
  }

  /**
   * ECC errors in total.
   *
   * <pre>
   * DCGM_FI_DEV_ECC_CURRENT 1            field 1
   * DCGM_FI_DEV_ECC_PENDING 1            field 2
   * DCGM_FI_DEV_ECC_SBE_VOL_TOTAL 0      fields 3 and 4 (DBE), since the driver was loaded
   * DCGM_FI_DEV_ECC_SBE_AGG_TOTAL 2      fields 5 and 6 (DBE), over the life of the board
   * </pre>
   */
  static GpuSubject ecc() {
    return GpuSubject.of("gpu_ecc", "ECC errors in all", Cadence.MEDIUM, ECC);
  }

  /**
   * ECC errors by location.
   *
   * <pre>
   * DCGM_FI_DEV_ECC_SBE_VOL_DEV 0          nvmlDeviceGetMemoryErrorCounter, and so on for DEV (DRAM) and SRM (SRAM)
   * lapwing_gpu_ecc_errors_total{error="corrected",counter="volatile",location="dram"} 0
   * DCGM_FI_DEV_THRESHOLD_SRM 0            nvmlDeviceGetSramEccErrorStatus
   * lapwing_gpu_sram_ecc_errors_total{error="uncorrected_parity",counter="volatile"} 0
   * </pre>
   */
  static GpuSubject eccLocations() {
    return GpuSubject.of(
        "gpu_ecc_locations", "ECC errors by location", Cadence.SLOW, GpuErrors::eccLocations);
  }

  private static void eccLocations(GpuRound round) {
    COUNTERS.forEach(counter -> ecc(round, counter));
    Reading<SramEccStatus> sram = round.gpu().sramEccStatus();
    round.put(DcgmMetrics.THRESHOLD_SRM, sram.map(status -> status.thresholdExceeded() ? 1 : 0));
    sram.toOptional().ifPresent(status -> sram(round, status));
  }

  private static void ecc(GpuRound round, Counter one) {
    Reading<Long> count = round.gpu().memoryErrors(one.error(), one.counter(), one.location());
    round.put(GpuMetrics.ECC_ERRORS, one.labels(), count);
    Metric dcgm = one.dcgm();
    if (dcgm != null && count instanceof Reading.Present<Long> errors) {
      round.put(dcgm, (double) errors.value());
    }
  }

  private static void sram(GpuRound round, SramEccStatus status) {
    sram(round, "corrected", EccCounter.VOLATILE, status.volatileCorrected());
    sram(round, "uncorrected_parity", EccCounter.VOLATILE, status.volatileUncorrectedParity());
    sram(round, "uncorrected_secded", EccCounter.VOLATILE, status.volatileUncorrectedSecDed());
    sram(round, "corrected", EccCounter.AGGREGATE, status.aggregateCorrected());
    sram(round, "uncorrected_parity", EccCounter.AGGREGATE, status.aggregateUncorrectedParity());
    sram(round, "uncorrected_secded", EccCounter.AGGREGATE, status.aggregateUncorrectedSecDed());
  }

  private static void sram(GpuRound round, String error, EccCounter counter, long count) {
    round.put(GpuMetrics.SRAM_ECC_ERRORS, List.of(error, word(counter)), (double) count);
  }

  private static String word(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Remapped rows and, before Ampere, retired pages.
   *
   * <pre>
   * DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS 0       field 142
   * DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS 1     field 143
   * DCGM_FI_DEV_ROW_REMAP_PENDING 0               field 144
   * DCGM_FI_DEV_ROW_REMAP_FAILURE 0               field 145
   * DCGM_FI_DEV_RETIRED_SBE, _DBE, _PENDING       fields 29 to 31, before Ampere only
   * </pre>
   */
  static GpuSubject remap() {
    return GpuSubject.of("gpu_remap", "remapped rows and retired pages", Cadence.MEDIUM, REMAP);
  }

  /**
   * Spare rows left in the memory banks, and whether there is memory beyond repair.
   *
   * <pre>
   * DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_MAX 2560     nvmlDeviceGetRowRemapperHistogram; also HIGH, PARTIAL, LOW, NONE
   * DCGM_FI_DEV_MEMORY_UNREPAIRABLE_FLAG 0          nvmlDeviceGetUnrepairableMemoryFlag_v1: 0.4 ms on an H100
   * </pre>
   */
  static GpuSubject remapBanks() {
    return GpuSubject.of(
        "gpu_remap_banks",
        "spare rows of the memory banks, and memory beyond repair",
        Cadence.SLOW,
        round -> {
          Reading<RowRemapHistogram> histogram = round.gpu().rowRemapHistogram();
          round.note(histogram);
          histogram.toOptional().ifPresent(banks -> put(round, banks));
          round.put(
              DcgmMetrics.MEMORY_UNREPAIRABLE_FLAG,
              round.gpu().memoryUnrepairable().map(is -> is ? 1 : 0));
        });
  }

  private static void put(GpuRound round, RowRemapHistogram banks) {
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_MAX, banks.max());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_HIGH, banks.high());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_PARTIAL, banks.partial());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_LOW, banks.low());
    round.put(DcgmMetrics.BANKS_REMAP_ROWS_AVAIL_NONE, banks.none());
  }

  /**
   * The PCIe link.
   *
   * <pre>
   * DCGM_FI_DEV_PCIE_LINK_GEN 5                     nvmlDeviceGetCurrPcieLinkGeneration
   * DCGM_FI_DEV_PCIE_LINK_WIDTH 16                  nvmlDeviceGetCurrPcieLinkWidth
   * DCGM_FI_DEV_PCIE_REPLAY_COUNTER 0               field 94
   * </pre>
   *
   * <p>{@code nvmlDeviceGetPcieThroughput} is not used: each call takes 20 ms. Fields 197 and 198
   * are not used either: they count in 32 bits, which a busy link fills in a tenth of a second.
   */
  static GpuSubject pcie() {
    return GpuSubject.of(
        "gpu_pcie",
        "the PCIe link",
        Cadence.MEDIUM,
        round -> {
          round.put(DcgmMetrics.PCIE_LINK_GEN, round.gpu().pcieLinkGeneration());
          round.put(DcgmMetrics.PCIE_LINK_WIDTH, round.gpu().pcieLinkWidth());
          round.put(DcgmMetrics.PCIE_REPLAY_COUNTER, NvmlField.PCIE_REPLAY);
        },
        NvmlField.PCIE_REPLAY);
  }

  /**
   * Errors of the PCIe link. An H100 takes 2 ms to read them: each field is an access of its own.
   *
   * <pre>
   * DCGM_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS 0     field 173
   * lapwing_gpu_pcie_errors_total{kind="bad_tlp"} 0 fields 95 and 174 to 183
   * </pre>
   */
  static GpuSubject pcieErrors() {
    List<FieldKey> keys = new ArrayList<>(PCIE_CORRECTABLE.keys());
    PCIE_KINDS.keySet().forEach(field -> keys.add(field.whole()));
    return GpuSubject.of(
        "gpu_pcie_errors",
        "errors of the PCIe link",
        Cadence.SLOW,
        keys,
        round -> {
          PCIE_CORRECTABLE.put(round);
          PCIE_KINDS.forEach(
              (field, kind) -> round.put(GpuMetrics.PCIE_ERRORS, kind, round.field(field)));
        });
  }

  /**
   * The recovery action that the driver reports.
   *
   * <pre>
   * DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION 0     field 230; 0 is none
   * </pre>
   *
   * The results of DCGM's health watches are exposed with it: most nodes have no DCGM, so they are
   * no subject of their own.
   */
  static GpuSubject recovery(DcgmHealthBoard dcgm) {
    return GpuSubject.of(
        "gpu_recovery",
        "what the driver asks for, and results of DCGM's health watches",
        Cadence.MEDIUM,
        round -> {
          round.put(DcgmMetrics.GET_GPU_RECOVERY_ACTION, NvmlField.RECOVERY_ACTION);
          GpuDcgmHealth.put(round, dcgm);
        },
        NvmlField.RECOVERY_ACTION);
  }
}
