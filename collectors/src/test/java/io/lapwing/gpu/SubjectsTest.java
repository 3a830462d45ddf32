package io.lapwing.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.lapwing.collect.Cadence;
import io.lapwing.collect.RecordedSink;
import io.lapwing.nvml.JnaNvml;
import io.lapwing.nvml.Nvml;
import io.lapwing.nvml.NvmlGpu;
import io.lapwing.nvml.StillNode;
import io.lapwing.simulator.SimulatedNode;
import io.lapwing.simulator.Variant;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exact samples of each subject from a state that is known. */
class SubjectsTest {

  private static final Duration WINDOW = Duration.ofMinutes(5);

  private Path dir;
  private SimulatedNode node;

  @BeforeEach
  void openNode(@TempDir Path folder) {
    dir = folder;
    node = StillNode.p5(folder);
  }

  private void state(String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      node.set("gpu.2." + keysAndValues[i], keysAndValues[i + 1]);
    }
  }

  private NvmlGpu gpu() {
    return StillNode.gpu(node, 2);
  }

  private RecordedSink round(GpuSubject subject) {
    return new Probe(subject, gpu()).at(0);
  }

  private List<String> samples(GpuSubject subject) {
    RecordedSink sink = round(subject);
    assertThat(sink.failures()).isEmpty();
    return sink.gpuLines();
  }

  @Test
  void infoHasTheIdentityAndTheModes() {
    state("name", "NVIDIA H100", "serial", "165", "bus_id", "0000:75:00.0", "minor", "2");
    state("vbios", "96.1", "inforom.image", "G520", "mig.mode", "1", "persistence", "0");
    assertThat(samples(GpuOperation.info()))
        .containsExactly(
            "lapwing_gpu_info{name=\"NVIDIA H100\",serial=\"165\",pci_bus_id=\"00000000:75:00.0\","
                + "minor_number=\"2\",vbios_version=\"96.1\",inforom_image_version=\"G520\"} 1",
            "DCGM_FI_DEV_MIG_MODE 1",
            "DCGM_FI_DEV_PERSISTENCE_MODE 0");
  }

  @Test
  void clocksAreInMegahertz() {
    state("clocks.graphics", "1", "clocks.sm", "1980", "clocks.memory", "2619");
    state("clocks.video", "1545", "pstate", "2");
    assertThat(samples(GpuOperation.clocks()))
        .containsExactly(
            "DCGM_FI_DEV_SM_CLOCK 1980",
            "DCGM_FI_DEV_MEM_CLOCK 2619",
            "DCGM_FI_DEV_VIDEO_CLOCK 1545",
            "DCGM_FI_DEV_PSTATE 2");
  }

  @Test
  void temperaturesAreInDegrees() {
    state("temperature", "41", "temperature.memory", "47", "temperature.margin", "46");
    assertThat(samples(GpuOperation.temperature()))
        .containsExactly(
            "DCGM_FI_DEV_GPU_TEMP 41",
            "DCGM_FI_DEV_MEMORY_TEMP 47",
            "DCGM_FI_DEV_GPU_TEMP_LIMIT 46");
  }

  @Test
  void powerIsInWattsAndEnergyInMillijoules() {
    state("power", "627.5", "power.instant", "626.25", "energy.before", "1234.5");
    assertThat(samples(GpuOperation.power()))
        .containsExactly(
            "DCGM_FI_DEV_POWER_USAGE 627.5",
            "DCGM_FI_DEV_POWER_USAGE_INSTANT 626.25",
            "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 1234500");
  }

  @Test
  void powerComesFromThePlainCallWhereTheDriverIsOlderThanTheField() {
    state("power", "627.5", "energy.before", "1");
    assertThat(
            new Probe(GpuOperation.power(), StillNode.gpu(node, Variant.OLD, 2)).at(0).gpuLines())
        .containsExactly(
            "DCGM_FI_DEV_POWER_USAGE 627.5", "DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION 1000");
  }

  @Test
  void utilisationIsInPercent() {
    state("utilization.gpu", "98", "utilization.memory", "37");
    state("utilization.encoder", "5", "utilization.decoder", "6");
    assertThat(samples(GpuOperation.utilization()))
        .containsExactly(
            "DCGM_FI_DEV_GPU_UTIL 98",
            "DCGM_FI_DEV_MEM_COPY_UTIL 37",
            "DCGM_FI_DEV_ENC_UTIL 5",
            "DCGM_FI_DEV_DEC_UTIL 6");
  }

  @Test
  void linksToAGraceCpuAreThoseOfTheDriverAndTheFirstIsDcgms() {
    node = StillNode.of("p6e-gb200.36xlarge", dir.resolve("grace"));
    state("c2c.down", "2", "c2c.error.link", "0", "c2c.crc", "4");
    assertThat(samples(new GpuC2c()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_C2C_LINK_COUNT 5",
            "DCGM_FI_DEV_C2C_LINK_STATUS 1",
            "DCGM_FI_DEV_C2C_MAX_BANDWIDTH 44712",
            "DCGM_FI_DEV_C2C_LINK_ERROR_INTR 4",
            "DCGM_FI_DEV_C2C_LINK_ERROR_REPLAY 0",
            "DCGM_FI_DEV_C2C_LINK_ERROR_REPLAY_B2B 0",
            "lapwing_gpu_c2c_links_up 3",
            "lapwing_gpu_c2c_errors_total{link=\"0\",kind=\"crc\"} 4");

    state("c2c.error.link", "3", "c2c.crc", "0", "c2c.replay", "17", "c2c.replay_b2b", "2");
    assertThat(samples(new GpuC2c()))
        .contains(
            "DCGM_FI_DEV_C2C_LINK_ERROR_REPLAY 0",
            "lapwing_gpu_c2c_errors_total{link=\"3\",kind=\"replay\"} 17",
            "lapwing_gpu_c2c_errors_total{link=\"3\",kind=\"replay_b2b\"} 2");
  }

  @Test
  void aGpuWithoutC2cHasNothingOfIt() {
    assertThat(samples(new GpuC2c())).isEmpty();
    state("c2c.count", "0");
    assertThat(samples(new GpuC2c())).isEmpty();
  }

  @Test
  void aC2cLinkThatDoesNotAnswerIsNotCountedAsDown() {
    node = StillNode.of("p6e-gb200.36xlarge", dir.resolve("grace"));
    state("fieldreturn.171.3", "10");
    RecordedSink sink = round(new GpuC2c());
    assertThat(sink.value(GpuMetrics.C2C_LINKS_UP)).isEmpty();
    assertThat(sink.value(DcgmMetrics.C2C_LINK_STATUS)).hasValue(1);
    assertThat(sink.failures()).containsExactly("field 171 scope 3: timeout");
  }

  @Test
  void bytesOfC2cAreAskedOnlyOfAGpuThatHasIt() {
    node = StillNode.of("p6e-gb200.36xlarge", dir.resolve("grace"));
    state("c2c.tx", "1000", "c2c.rx", "500");
    assertThat(activity())
        .contains(
            "DCGM_FI_PROF_C2C_TX_ALL_BYTES 1048576000", "DCGM_FI_PROF_C2C_RX_ALL_BYTES 524288000");

    state("c2c.count", "unsupported");
    assertThat(activity()).isNotEmpty().noneMatch(line -> line.contains("C2C"));
  }

  @Test
  void aLibraryThatDoesNotKnowThemKeepsTheOtherMetrics() {
    node = StillNode.of("p6e-gb200.36xlarge", dir.resolve("grace"));
    AtomicLong nanos = new AtomicLong();
    Probe probe = profiling(nanos);
    activity(probe, nanos, 0);
    node.set("system.return.nvmlGpmMetricsGet", "2");
    assertThat(activity(probe, nanos, 10)).noneMatch(line -> line.startsWith("DCGM_FI_PROF_"));
    node.clear("system.return.nvmlGpmMetricsGet");
    assertThat(activity(probe, nanos, 20))
        .anyMatch(line -> line.startsWith("DCGM_FI_PROF_SM_ACTIVE"))
        .noneMatch(line -> line.contains("C2C"));
  }

  /** What ten seconds show of the performance counters. */
  private List<String> activity() {
    AtomicLong nanos = new AtomicLong();
    Probe probe = profiling(nanos);
    activity(probe, nanos, 0);
    return activity(probe, nanos, 10);
  }

  private Probe profiling(AtomicLong nanos) {
    Nvml nvml = StillNode.present(JnaNvml.load(node.library(Variant.NEW).toString(), nanos::get));
    StillNode.present(nvml.init());
    return new Probe(new GpuProfiling(), StillNode.present(nvml.gpu(2)));
  }

  private List<String> activity(Probe probe, AtomicLong nanos, int seconds) {
    nanos.set(Duration.ofSeconds(seconds).toNanos());
    StillNode.letPass(node, seconds);
    return probe.at(seconds).gpuLines();
  }

  @Test
  void memoryIsInWholeMebibytesAndInBytes() {
    state("memory.total", "85520809984", "memory.reserved", "617611264");
    state("memory.used", "42451599360", "bar1.total", "137438953472", "bar1.used", "1048575");
    assertThat(samples(GpuOperation.memory(new MigBoard())))
        .containsExactly(
            "DCGM_FI_DEV_FB_TOTAL 81559",
            "DCGM_FI_DEV_FB_CAPACITY_BYTES 85520809984",
            "DCGM_FI_DEV_FB_FREE 40485",
            "DCGM_FI_DEV_FB_FREE_BYTES 42451599360",
            "DCGM_FI_DEV_FB_USED 40485",
            "DCGM_FI_DEV_FB_USED_BYTES 42451599360",
            "DCGM_FI_DEV_FB_RESERVED 589",
            "DCGM_FI_DEV_FB_RESERVED_BYTES 617611264",
            "DCGM_FI_DEV_FB_USED_PERCENT 0.5",
            "DCGM_FI_DEV_BAR1_TOTAL 131072",
            "DCGM_FI_DEV_BAR1_USED 0");
  }

  @Test
  void anOldDriverHasNoReservedMemory() {
    state("memory.total", "1048576000", "memory.reserved", "0", "memory.used", "524288000");
    assertThat(
            new Probe(GpuOperation.memory(new MigBoard()), StillNode.gpu(node, Variant.OLD, 2))
                .at(0)
                .gpuLines())
        .contains("DCGM_FI_DEV_FB_TOTAL 1000", "DCGM_FI_DEV_FB_USED_PERCENT 0.5")
        .noneMatch(line -> line.startsWith("DCGM_FI_DEV_FB_RESERVED"));
  }

  @Test
  void throttlingIsABitMaskAndItsBits() {
    state("clocks.reasons", "0x44");
    assertThat(samples(new GpuThrottle(WINDOW)))
        .filteredOn(line -> !line.startsWith("DCGM_EXP_CLOCK_EVENTS_TOTAL"))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_CLOCKS_EVENT_REASONS 68",
            "lapwing_gpu_clock_event_active{reason=\"gpu_idle\"} 0",
            "lapwing_gpu_clock_event_active{reason=\"clocks_setting\"} 0",
            "lapwing_gpu_clock_event_active{reason=\"power_cap\"} 1",
            "lapwing_gpu_clock_event_active{reason=\"hw_slowdown\"} 0",
            "lapwing_gpu_clock_event_active{reason=\"sync_boost\"} 0",
            "lapwing_gpu_clock_event_active{reason=\"sw_thermal\"} 0",
            "lapwing_gpu_clock_event_active{reason=\"hw_thermal\"} 1",
            "lapwing_gpu_clock_event_active{reason=\"hw_power_brake\"} 0",
            "lapwing_gpu_clock_event_active{reason=\"display_clocks\"} 0",
            "DCGM_EXP_CLOCK_EVENTS_COUNT{clock_event=\"power_cap\",window_size_in_ms=\"300000\"} 1",
            "DCGM_EXP_CLOCK_EVENTS_COUNT{clock_event=\"hw_thermal\",window_size_in_ms=\"300000\"}"
                + " 1");
  }

  @Test
  void violationsAreNanosecondsUnderBothOfDcgmsNames() {
    state("violation.power", "1", "violation.thermal", "2");
    state("violation.sync_boost", "3", "violation.board", "4", "violation.low_utilization", "5");
    state("violation.reliability", "6", "violation.app_clocks", "7", "violation.base_clocks", "8");
    state("violation.sw_thermal", "9", "violation.hw_thermal", "10", "violation.power_brake", "11");
    assertThat(samples(GpuOperation.slowdowns()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_POWER_VIOLATION 1",
            "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_POWER_CAP_NS 1",
            "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SW_THERM_SLOWDOWN_NS 9",
            "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_THERM_SLOWDOWN_NS 10",
            "DCGM_FI_DEV_CLOCKS_EVENT_REASON_HW_POWER_BRAKE_SLOWDOWN_NS 11");
    assertThat(samples(GpuOperation.violations()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_THERMAL_VIOLATION 2",
            "DCGM_FI_DEV_SYNC_BOOST_VIOLATION 3",
            "DCGM_FI_DEV_BOARD_LIMIT_VIOLATION 4",
            "DCGM_FI_DEV_LOW_UTIL_VIOLATION 5",
            "DCGM_FI_DEV_RELIABILITY_VIOLATION 6",
            "DCGM_FI_DEV_TOTAL_APP_CLOCKS_VIOLATION 7",
            "DCGM_FI_DEV_TOTAL_BASE_CLOCKS_VIOLATION 8",
            "DCGM_FI_DEV_CLOCKS_EVENT_REASON_SYNC_BOOST_NS 3");
  }

  @Test
  void clockEventsExpireWithTheWindow() {
    Probe probe = new Probe(new GpuThrottle(WINDOW), gpu());
    String powerCap =
        "DCGM_EXP_CLOCK_EVENTS_COUNT{clock_event=\"power_cap\",window_size_in_ms=\"300000\"} ";
    state("clocks.reasons", "0x4");
    probe.at(0);
    assertThat(probe.at(5).gpuLines()).contains(powerCap + 2);
    state("clocks.reasons", "0");
    assertThat(probe.at(301).gpuLines()).contains(powerCap + 1);
    assertThat(probe.at(306).gpuLines()).noneMatch(line -> line.startsWith(powerCap));
  }

  @Test
  void theTotalOfClockEventsCountsWhatBeginsToLimit() {
    Probe probe = new Probe(new GpuThrottle(WINDOW), gpu());
    String total = "DCGM_EXP_CLOCK_EVENTS_TOTAL";
    String powerCap = total + "{clock_event=\"power_cap\"} ";
    state("clocks.reasons", "0x4");
    assertThat(probe.at(0).gpuLines())
        .contains(powerCap + 0)
        .filteredOn(line -> line.startsWith(total))
        .hasSize(9)
        .allMatch(line -> line.endsWith(" 0"));
    assertThat(probe.at(5).gpuLines()).contains(powerCap + 0);
    state("clocks.reasons", "0");
    probe.at(10);
    state("clocks.reasons", "0x44");
    assertThat(probe.at(15).gpuLines())
        .contains(powerCap + 1, total + "{clock_event=\"hw_thermal\"} 1");
    state("clocks.reasons", "0");
    probe.at(20);
    state("clocks.reasons", "0x4");
    assertThat(probe.at(25).gpuLines())
        .contains(powerCap + 2, total + "{clock_event=\"hw_thermal\"} 1");
  }

  private static final List<String> LIMITS =
      List.of(
          "DCGM_FI_DEV_ENFORCED_POWER_LIMIT 690.5",
          "DCGM_FI_DEV_POWER_MGMT_LIMIT 695",
          "DCGM_FI_DEV_POWER_MGMT_LIMIT_DEF 700",
          "DCGM_FI_DEV_POWER_MGMT_LIMIT_MIN 200",
          "DCGM_FI_DEV_POWER_MGMT_LIMIT_MAX 705",
          "DCGM_FI_DEV_SHUTDOWN_TEMP 92",
          "DCGM_FI_DEV_SLOWDOWN_TEMP 89",
          "DCGM_FI_DEV_MEM_MAX_OP_TEMP 95",
          "DCGM_FI_DEV_GPU_MAX_OP_TEMP 87");

  private static final List<String> MORE_LIMITS =
      List.of(
          "DCGM_FI_DEV_MAX_SM_CLOCK 1980",
          "DCGM_FI_DEV_MAX_MEM_CLOCK 2619",
          "DCGM_FI_DEV_APP_SM_CLOCK 1500",
          "DCGM_FI_DEV_APP_MEM_CLOCK 1600",
          "DCGM_FI_DEV_PCIE_MAX_LINK_GEN 5",
          "DCGM_FI_DEV_PCIE_MAX_LINK_WIDTH 16");

  private void limits() {
    state("power.limit", "690.5", "power.limit.requested", "695", "power.limit.default", "700");
    state("power.limit.min", "200", "power.limit.max", "705");
    state("temperature.tlimit.shutdown", "-8", "temperature.tlimit.slowdown", "-2");
    state("temperature.tlimit.memory_max", "1", "temperature.tlimit.gpu_max", "3");
    state("clocks.sm.application", "1500", "clocks.memory.application", "1600");
  }

  @Test
  void limitsAreInWattsDegreesAndMegahertz() {
    limits();
    List<String> margins =
        List.of(
            "lapwing_gpu_temperature_limit_margin_celsius{limit=\"shutdown\"} -8",
            "lapwing_gpu_temperature_limit_margin_celsius{limit=\"slowdown\"} -2",
            "lapwing_gpu_temperature_limit_margin_celsius{limit=\"memory_max\"} 1",
            "lapwing_gpu_temperature_limit_margin_celsius{limit=\"gpu_max\"} 3");
    assertThat(samples(GpuOperation.limits()))
        .containsExactlyElementsOf(
            Stream.of(LIMITS, margins, MORE_LIMITS).flatMap(List::stream).toList());
  }

  @Test
  void anOldDriverHasTheSameLimitsByPlainCalls() {
    limits();
    assertThat(
            new Probe(GpuOperation.limits(), StillNode.gpu(node, Variant.OLD, 2)).at(0).gpuLines())
        .containsExactlyElementsOf(Stream.of(LIMITS, MORE_LIMITS).flatMap(List::stream).toList());
  }

  @Test
  void totalEccErrorsHaveKindAndPeriod() {
    state("ecc.mode", "1", "ecc.mode.pending", "0");
    state("ecc.corrected.volatile.dram", "1", "ecc.corrected.volatile.sram", "10");
    state("ecc.uncorrected.volatile.dram", "2", "ecc.corrected.aggregate.dram", "3");
    state("ecc.corrected.aggregate.sram", "30", "ecc.uncorrected.aggregate.dram", "4");
    assertThat(samples(GpuErrors.ecc()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_ECC_CURRENT 1",
            "DCGM_FI_DEV_ECC_PENDING 0",
            "DCGM_FI_DEV_ECC_SBE_VOL_TOTAL 11",
            "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL 2",
            "DCGM_FI_DEV_ECC_SBE_AGG_TOTAL 33",
            "DCGM_FI_DEV_ECC_DBE_AGG_TOTAL 4");
  }

  @Test
  void eccErrorsByLocationHaveBothNames() {
    state("ecc.corrected.volatile.dram", "1", "ecc.uncorrected.volatile.dram", "2");
    state("ecc.corrected.aggregate.dram", "3", "ecc.uncorrected.aggregate.dram", "4");
    state("ecc.corrected.volatile.sram", "5", "ecc.uncorrected.volatile.sram", "6");
    state("ecc.corrected.aggregate.sram", "7", "ecc.uncorrected.aggregate.sram", "8");
    state("sram.volatile.corrected", "11", "sram.volatile.parity", "12");
    state("sram.volatile.secded", "13", "sram.aggregate.corrected", "14");
    state("sram.aggregate.parity", "15", "sram.aggregate.secded", "16");
    state("sram.threshold_exceeded", "1");
    assertThat(samples(GpuErrors.eccLocations()))
        .containsExactlyInAnyOrder(
            ecc("corrected", "volatile", "dram", 1),
            ecc("uncorrected", "volatile", "dram", 2),
            ecc("corrected", "aggregate", "dram", 3),
            ecc("uncorrected", "aggregate", "dram", 4),
            ecc("corrected", "volatile", "sram", 5),
            ecc("uncorrected", "volatile", "sram", 6),
            ecc("corrected", "aggregate", "sram", 7),
            ecc("uncorrected", "aggregate", "sram", 8),
            "DCGM_FI_DEV_ECC_SBE_VOL_DEV 1",
            "DCGM_FI_DEV_ECC_DBE_VOL_DEV 2",
            "DCGM_FI_DEV_ECC_SBE_AGG_DEV 3",
            "DCGM_FI_DEV_ECC_DBE_AGG_DEV 4",
            "DCGM_FI_DEV_ECC_SBE_VOL_SRM 5",
            "DCGM_FI_DEV_ECC_DBE_VOL_SRM 6",
            "DCGM_FI_DEV_ECC_SBE_AGG_SRM 7",
            "DCGM_FI_DEV_ECC_DBE_AGG_SRM 8",
            "DCGM_FI_DEV_THRESHOLD_SRM 1",
            sram("corrected", "volatile", 11),
            sram("uncorrected_parity", "volatile", 12),
            sram("uncorrected_secded", "volatile", 13),
            sram("corrected", "aggregate", 14),
            sram("uncorrected_parity", "aggregate", 15),
            sram("uncorrected_secded", "aggregate", 16));
  }

  private static String ecc(String error, String counter, String location, int count) {
    return "lapwing_gpu_ecc_errors_total{error=\"%s\",counter=\"%s\",location=\"%s\"} %d"
        .formatted(error, counter, location, count);
  }

  private static String sram(String error, String counter, int count) {
    return "lapwing_gpu_sram_ecc_errors_total{error=\"%s\",counter=\"%s\"} %d"
        .formatted(error, counter, count);
  }

  @Test
  void remappedRowsAreCountedAndRetiredPagesOnlyWhereThereAreAny() {
    state("rows.correctable", "1", "rows.uncorrectable", "2", "rows.pending", "1");
    state("rows.failure", "0");
    List<String> rows =
        List.of(
            "DCGM_FI_DEV_CORRECTABLE_REMAPPED_ROWS 1",
            "DCGM_FI_DEV_UNCORRECTABLE_REMAPPED_ROWS 2",
            "DCGM_FI_DEV_ROW_REMAP_PENDING 1",
            "DCGM_FI_DEV_ROW_REMAP_FAILURE 0");
    assertThat(samples(GpuErrors.remap())).containsExactlyInAnyOrderElementsOf(rows);
    state("retired.sbe", "3", "retired.dbe", "4", "retired.pending", "1");
    assertThat(samples(GpuErrors.remap()))
        .containsAll(rows)
        .contains(
            "DCGM_FI_DEV_RETIRED_SBE 3",
            "DCGM_FI_DEV_RETIRED_DBE 4",
            "DCGM_FI_DEV_RETIRED_PENDING 1")
        .hasSize(7);
  }

  @Test
  void spareRowsAreAHistogram() {
    state(
        "rows.histogram.max", "2500", "rows.histogram.high", "30", "rows.histogram.partial", "20");
    state("rows.histogram.low", "9", "rows.histogram.none", "1");
    assertThat(samples(GpuErrors.remapBanks()))
        .containsExactly(
            "DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_MAX 2500",
            "DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_HIGH 30",
            "DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_PARTIAL 20",
            "DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_LOW 9",
            "DCGM_FI_DEV_BANKS_REMAP_ROWS_AVAIL_NONE 1",
            "DCGM_FI_DEV_MEMORY_UNREPAIRABLE_FLAG 0");
  }

  @Test
  void memoryBeyondRepairCostsNothingWhereTheDriverHasNoFlag() {
    state("memory.unrepairable", "1");
    assertThat(samples(GpuErrors.remapBanks())).contains("DCGM_FI_DEV_MEMORY_UNREPAIRABLE_FLAG 1");
    state("memory.unrepairable", "unsupported");
    assertThat(samples(GpuErrors.remapBanks()))
        .hasSize(5)
        .noneMatch(line -> line.toUpperCase(Locale.ROOT).contains("UNREPAIRABLE"));
  }

  @Test
  void thePcieLinkHasErrorsByKind() {
    state("pcie.generation", "4", "pcie.width", "8", "pcie.replay", "1", "pcie.correctable", "2");
    state("pcie.replay_rollover", "5", "pcie.naks_received", "6");
    state("pcie.receiver_errors", "7", "pcie.bad_tlp", "8", "pcie.naks_sent", "9");
    state("pcie.bad_dllp", "10", "pcie.non_fatal", "11", "pcie.fatal", "12");
    state("pcie.unsupported_requests", "13", "pcie.lcrc", "14", "pcie.lane_errors", "15");
    gpu();
    StillNode.letPass(node, 2);
    assertThat(samples(GpuErrors.pcie()))
        .containsExactlyInAnyOrder(
            "DCGM_FI_DEV_PCIE_LINK_GEN 4",
            "DCGM_FI_DEV_PCIE_LINK_WIDTH 8",
            "DCGM_FI_DEV_PCIE_REPLAY_COUNTER 1");
    List<String> samples = samples(GpuErrors.pcieErrors());
    assertThat(samples).contains("DCGM_FI_DEV_PCIE_COUNT_CORRECTABLE_ERRORS 2").hasSize(12);
    List<String> kinds =
        List.of(
            "replay_rollover",
            "nak_received",
            "receiver",
            "bad_tlp",
            "nak_sent",
            "bad_dllp",
            "non_fatal",
            "fatal",
            "unsupported_request",
            "lcrc",
            "lane");
    assertThat(samples)
        .containsAll(
            IntStream.range(0, kinds.size())
                .mapToObj(
                    i -> "lapwing_gpu_pcie_errors_total{kind=\"" + kinds.get(i) + "\"} " + (5 + i))
                .toList());
  }

  @Test
  void nvlinkAsAWholeIsBytesErrorsAndRatesSinceTheRoundBefore() {
    state("nvlink.tx", "1800", "nvlink.rx", "900", "nvlink.speed", "26562", "nvlink.inactive", "5");
    state("nvlink.crc_flit", "1", "nvlink.crc_data", "2", "nvlink.replay", "3");
    state("nvlink.recovery", "4");
    Probe probe = new Probe(new GpuNvlink(), gpu());
    List<String> counters =
        List.of(
            "DCGM_FI_DEV_NVLINK_CRC_FLIT_ERROR_COUNT_TOTAL 1",
            "DCGM_FI_DEV_NVLINK_CRC_DATA_ERROR_COUNT_TOTAL 2",
            "DCGM_FI_DEV_NVLINK_REPLAY_ERROR_COUNT_TOTAL 3",
            "DCGM_FI_DEV_NVLINK_RECOVERY_ERROR_COUNT_TOTAL 4",
            "lapwing_gpu_nvlinks 18",
            "lapwing_gpu_nvswitch_links 17",
            "lapwing_gpu_nvlink_speed_bytes_per_second 26562000000");
    assertThat(probe.at(0).gpuLines())
        .containsAll(counters)
        .contains("lapwing_gpu_nvlink_tx_bytes_total 0", "lapwing_gpu_nvlink_rx_bytes_total 0")
        .hasSize(9);
    StillNode.letPass(node, 10);
    assertThat(probe.at(10).gpuLines())
        .containsAll(counters)
        .contains(
            "lapwing_gpu_nvlink_tx_bytes_total " + (18_000L << 20),
            "lapwing_gpu_nvlink_rx_bytes_total " + (9_000L << 20),
            "DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_TOTAL 1887.4368",
            "DCGM_FI_DEV_NVLINK_RX_BANDWIDTH_TOTAL 943.7184",
            "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL 2831.1552",
            "DCGM_FI_DEV_NVLINK_BANDWIDTH_L0 157.2864")
        .hasSize(13);
  }

  @Test
  void aWallClockThatIsSetChangesNoRate() {
    state("nvlink.tx", "1800", "nvlink.rx", "900");
    Probe probe = new Probe(new GpuNvlink(), gpu());
    probe.at(0);
    StillNode.letPass(node, 10);
    assertThat(probe.at(10, 1).gpuLines())
        .contains("DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_TOTAL 1887.4368");
  }

  @Test
  void aCounterThatRestartedGivesNoRateForOneRound() {
    state("nvlink.tx", "1800", "nvlink.rx", "1800");
    Probe probe = new Probe(new GpuNvlink(), gpu());
    StillNode.letPass(node, 10);
    probe.at(10);
    state("field.138", "5", "field.139", "5");
    assertThat(probe.at(15).gpuLines()).noneMatch(line -> line.contains("BANDWIDTH"));
    state("field.138", "1000005", "field.139", "1000005");
    assertThat(probe.at(20).gpuLines()).contains("DCGM_FI_DEV_NVLINK_TX_BANDWIDTH_TOTAL 204.8");
  }

  @Test
  void linksAreExposedOneByOneAndTheirErrorsSummed() {
    state("nvlink.inactive", "5", "nvlink.error.link", "4");
    state("nvlink.replay", "1", "nvlink.recovery", "2", "nvlink.crc_flit", "3");
    List<String> expected =
        Stream.concat(
                IntStream.range(0, 18)
                    .mapToObj(
                        link ->
                            "lapwing_gpu_nvlink_up{link=\"%d\"} %d"
                                .formatted(link, link == 5 ? 0 : 1)),
                Stream.of(
                    "lapwing_gpu_nvlink_down{link=\"5\"} 1",
                    "lapwing_gpu_nvlinks_up 17",
                    "DCGM_FI_DEV_NVLINK_ERROR_DL_REPLAY 1",
                    "DCGM_FI_DEV_NVLINK_ERROR_DL_RECOVERY 2",
                    "DCGM_FI_DEV_NVLINK_ERROR_DL_CRC 3",
                    "lapwing_gpu_nvlink_errors_total{link=\"4\",kind=\"dl_replay\"} 1",
                    "lapwing_gpu_nvlink_errors_total{link=\"4\",kind=\"dl_recovery\"} 2",
                    "lapwing_gpu_nvlink_errors_total{link=\"4\",kind=\"dl_crc\"} 3"))
            .toList();
    assertThat(samples(new GpuNvlinkLinks())).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  void theFifthGenerationCountsUnderItsOwnNames(@TempDir Path other) {
    SimulatedNode b200 = StillNode.of("p6-b200.48xlarge", other);
    List<String> keys =
        List.of(
            "malformed",
            "overrun",
            "rx_errors",
            "rx_remote_errors",
            "rx_general_errors",
            "integrity_errors",
            "tx_discards",
            "recovery.successful",
            "recovery.failed",
            "recovery.total",
            "effective_errors",
            "symbol_errors");
    for (int i = 0; i < keys.size(); i++) {
      b200.set("gpu.0.nvlink." + keys.get(i), String.valueOf(i + 1));
    }
    b200.set("gpu.0.nvlink.effective_ber", "3854"); // 0xf0e: a mantissa of 15, an exponent of 14
    b200.set("gpu.0.nvlink.error.link", "9");
    b200.set("gpu.0.nvlink.tx", "1800");
    b200.set("gpu.0.nvlink.rx", "3600");
    Probe probe = new Probe(new GpuNvlinkLinks(), StillNode.gpu(b200, 0));
    StillNode.letPass(b200, 1);
    List<String> names =
        List.of(
            "RX_MALFORMED_PACKET_ERRORS",
            "RX_BUFFER_OVERRUN_ERRORS",
            "RX_ERRORS",
            "RX_REMOTE_ERRORS",
            "RX_GENERAL_ERRORS",
            "LOCAL_LINK_INTEGRITY_ERRORS",
            "TX_DISCARDS",
            "LINK_RECOVERY_SUCCESSFUL_EVENTS",
            "LINK_RECOVERY_FAILED_EVENTS",
            "LINK_RECOVERY_EVENTS",
            "EFFECTIVE_ERRORS",
            "RX_SYMBOL_ERRORS");
    assertThat(probe.at(0).gpuLines())
        .containsAll(
            IntStream.range(0, names.size())
                .mapToObj(i -> "DCGM_FI_DEV_NVLINK_COUNT_" + names.get(i) + " " + (i + 1))
                .toList())
        .contains("lapwing_gpu_nvlink_errors_total{link=\"9\",kind=\"rx_errors\"} 3")
        .contains("DCGM_FI_DEV_NVLINK_COUNT_EFFECTIVE_BER_FLOAT 0.00000000000015")
        .contains("DCGM_FI_DEV_NVLINK_COUNT_SYMBOL_BER_FLOAT 0")
        .contains("DCGM_FI_DEV_NVLINK_COUNT_TX_BYTES " + 18 * (100 << 20))
        .contains("DCGM_FI_DEV_NVLINK_COUNT_RX_PACKETS " + 18 * (200 << 12))
        .noneMatch(line -> line.contains("ERROR_DL"));
  }

  @Test
  void aGpuWithoutActiveLinksHasNoneThatAreDown() {
    state(
        "nvlink.inactive",
        IntStream.range(0, 18).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
    assertThat(samples(new GpuNvlinkLinks()))
        .contains("lapwing_gpu_nvlinks_up 0")
        .noneMatch(line -> line.startsWith("lapwing_gpu_nvlink_down"));
  }

  @Test
  void aNodeWhoseGpusAreInSeveralDomainsHasNone() {
    FabricDomain domain = new FabricDomain();
    domain.seen(0, List.of("u", "1"));
    domain.seen(1, List.of("u", "1"));
    assertThat(domain.get()).containsExactly("u", "1");
    domain.seen(1, List.of("u", "2"));
    assertThat(domain.get()).containsExactly("", "");
    domain.seen(0, List.of("u", "2"));
    assertThat(domain.get()).containsExactly("u", "2");
  }

  /** Pairs that DCGM's own tests have. */
  @ParameterizedTest
  @CsvSource({"4095,15e-255", "0,0", "1000,3e-232", "1025,0.4", "2048,8", "3072,12", "513,0.2"})
  void aPackedErrorRateIsUnpacked(long packed, double rate) {
    assertThat(GpuNvlinkLinks.unpacked(packed)).isEqualTo(rate);
  }

  @Test
  void theFabricOfALargerDomainIsNamedWithThePlaceInTheRack() {
    state("fabric.uuid", "00112233-4455-6677-8899-aabbccddeeff", "fabric.clique", "7");
    state("fabric.health", "0x1aa", "fabric.summary", "1");
    assertThat(samples(new GpuFabric(new FabricDomain())))
        .containsExactly(
            "DCGM_FI_DEV_FABRIC_MANAGER_STATUS 3",
            "DCGM_FI_DEV_FABRIC_MANAGER_ERROR_CODE 0",
            "lapwing_gpu_fabric_info{cluster_uuid=\"00112233-4455-6677-8899-aabbccddeeff\","
                + "clique_id=\"7\",chassis_serial_number=\"\",slot_number=\"\",tray_index=\"\"} 1",
            "DCGM_FI_DEV_FABRIC_HEALTH_MASK 426",
            "DCGM_FI_DEV_FABRIC_HEALTH_SUMMARY 1");
    state("platform.chassis", "1820224000000", "platform.slot", "9", "platform.tray", "5");
    FabricDomain domain = new FabricDomain();
    assertThat(samples(new GpuFabric(domain)))
        .anyMatch(
            line ->
                line.endsWith(
                    "chassis_serial_number=\"1820224000000\",slot_number=\"9\",tray_index=\"5\"} 1"));
    assertThat(domain.get()).containsExactly("00112233-4455-6677-8899-aabbccddeeff", "7");

    state("fabric.state", "1");
    assertThat(samples(new GpuFabric(domain))).noneMatch(line -> line.contains("fabric_info"));
    assertThat(domain.get()).as("the node is still of the domain").contains("7");
  }

  @Test
  void aFabricInProgressHasNoErrorCodeAndASingleNodeNoDomain() {
    assertThat(samples(new GpuFabric(new FabricDomain())))
        .noneMatch(line -> line.startsWith("lapwing_gpu_fabric_info"));
    state("fabric.state", "2");
    assertThat(samples(new GpuFabric(new FabricDomain())))
        .contains("DCGM_FI_DEV_FABRIC_MANAGER_STATUS 2")
        .noneMatch(line -> line.startsWith("DCGM_FI_DEV_FABRIC_MANAGER_ERROR_CODE"));
  }

  /** As DCGM, which has the error in the state, too. */
  @Test
  void aFabricThatWasJoinedWithAnErrorHasFailed() {
    state("fabric.status", "10");
    assertThat(samples(new GpuFabric(new FabricDomain())))
        .contains(
            "DCGM_FI_DEV_FABRIC_MANAGER_STATUS 4", "DCGM_FI_DEV_FABRIC_MANAGER_ERROR_CODE 10");
  }

  @Test
  void theRecoveryActionIsTheDriversOwnNumber() {
    state("recovery.action", "4");
    assertThat(samples(GpuErrors.recovery(DcgmBoards.off().health())))
        .containsExactly("DCGM_FI_DEV_GET_GPU_RECOVERY_ACTION 4");
  }

  @Test
  void processesAreCounted() {
    state("processes", "4711:70000 4712:1");
    assertThat(samples(new GpuOccupancy().processes()))
        .containsExactly("lapwing_gpu_compute_processes 2");
  }

  @Test
  void aCardWithoutNvlinkFabricMigAndGpmLeavesTheirFamiliesOutWithoutAFailure() {
    NvmlGpu l4 = StillNode.gpu(StillNode.of("g6.xlarge", dir.resolve("g6")), 0);
    for (GpuSubject subject : List.of(new GpuNvlinkLinks(), new GpuFabric(new FabricDomain()))) {
      RecordedSink sink = new Probe(subject, l4).at(0);
      assertThat(sink.gpuLines()).isEmpty();
      assertThat(sink.failures()).isEmpty();
    }
    assertThat(new Probe(new GpuProfiling(), l4).at(0).gpuLines())
        .containsExactly(
            "lapwing_gpu_gpm_supported 0",
            "lapwing_gpu_activity_info{source=\"none\",reason=\"dcgm_off\"} 1");
    assertThat(new Probe(GpuOperation.info(), l4).at(0).gpuLines())
        .noneMatch(line -> line.contains("MIG_MODE"));
    assertThat(new Probe(GpuOperation.temperature(), l4).at(0).gpuLines())
        .noneMatch(line -> line.contains("MEMORY_TEMP"));
  }

  /** Each failed call counts, and what can still be read is still shown. */
  @Test
  void aFailureCountsAndCostsOnlyItsOwnSamples() {
    state("return.nvmlDeviceGetTemperatureV", "4");
    RecordedSink call = round(GpuOperation.temperature());
    assertThat(call.failures()).containsExactly("nvmlDeviceGetTemperatureV: no_permission");
    assertThat(call.gpuLines()).hasSize(2);

    state("return.nvmlDeviceGetTemperatureV", "0", "fieldreturn.82", "999");
    RecordedSink field = round(GpuOperation.temperature());
    assertThat(field.failures()).containsExactly("field 82: unknown");
    assertThat(field.gpuLines()).hasSize(2);
  }

  @Test
  void everySubjectReportsTheReasonOfAFailedCall() {
    List<Supplier<GpuSubject>> subjects =
        List.of(
            GpuOperation::utilization,
            () -> GpuOperation.memory(new MigBoard()),
            () -> new GpuMig(new MigBoard()),
            () -> new GpuFabric(new FabricDomain()),
            GpuErrors::remapBanks,
            GpuOperation::clocks,
            () -> new GpuOccupancy().processes(),
            GpuProfiling::new,
            GpuErrors::eccLocations,
            GpuInforom::new,
            () -> new GpuThrottle(WINDOW));
    NvmlGpu gpu = gpu();
    List<Probe> probes = subjects.stream().map(made -> new Probe(made.get(), gpu)).toList();
    state("return.*", "17", "return.nvmlDeviceGetFieldValues", "0");
    for (Probe probe : probes) {
      assertThat(probe.at(0).failures())
          .isNotEmpty()
          .allMatch(failure -> failure.endsWith(": operating_system"));
    }
  }

  @Test
  void subjectsHaveDistinctNamesAndWhatCostsMillisecondsIsSlow() {
    List<GpuSubject> all = GpuSubjects.of(name -> true, WINDOW);
    assertThat(all.stream().map(GpuSubject::name)).doesNotHaveDuplicates().hasSize(26);
    assertThat(all).allMatch(subject -> !subject.about().isBlank());
    assertThat(all.stream().filter(subject -> subject.cadence() == Cadence.SLOW))
        .extracting(GpuSubject::name)
        .contains("gpu_processes", "gpu_violations", "gpu_pcie_errors");
    assertThat(GpuSubjects.of("gpu_power"::equals, WINDOW))
        .extracting(GpuSubject::name)
        .containsExactly("gpu_power");
  }
}
