package io.lapwing.bench.acceptance;

import static io.lapwing.bench.acceptance.Check.firstNumber;
import static io.lapwing.bench.acceptance.Check.flag;
import static io.lapwing.bench.acceptance.Check.number;
import static io.lapwing.bench.acceptance.Check.sum;
import static io.lapwing.bench.acceptance.Closeness.exact;
import static io.lapwing.bench.acceptance.Closeness.within;

import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/** The compared metrics, their path in nvidia-smi's output, and the tolerance. */
final class Checks {

  private Checks() {}

  static List<Check> all() {
    return Stream.of(
            thermal(), power(), clocks(), activity(), memory(), ecc(), rows(), pcie(), state())
        .flatMap(List::stream)
        .toList();
  }

  /** Temperatures change by a few degrees between two polls; thresholds are constant. */
  private static List<Check> thermal() {
    return List.of(
        number("GPU_TEMP", "temperature/gpu_temp", within(3)),
        number("MEMORY_TEMP", "temperature/memory_temp", within(3)),
        number("GPU_TEMP_LIMIT", "temperature/gpu_temp_tlimit", within(3)),
        number("SLOWDOWN_TEMP", "temperature/gpu_temp_slow_threshold", exact()),
        number("SHUTDOWN_TEMP", "temperature/gpu_temp_max_threshold", exact()),
        number("GPU_MAX_OP_TEMP", "temperature/gpu_temp_max_gpu_threshold", exact()),
        number("MEM_MAX_OP_TEMP", "temperature/gpu_temp_max_mem_threshold", exact()));
  }

  /** Power draw changes within a second; limits are settings. */
  private static List<Check> power() {
    String readings = "gpu_power_readings/";
    return List.of(
        firstNumber(
            "POWER_USAGE",
            within(10, 0.10),
            readings + "average_power_draw",
            readings + "power_draw",
            "power_readings/power_draw"),
        firstNumber(
            "POWER_USAGE_INSTANT",
            within(25, 0.15),
            readings + "instant_power_draw",
            readings + "power_draw"),
        firstNumber(
            "ENFORCED_POWER_LIMIT",
            exact(),
            readings + "current_power_limit",
            "power_readings/enforced_power_limit"),
        firstNumber(
            "POWER_MGMT_LIMIT",
            exact(),
            readings + "requested_power_limit",
            "power_readings/power_limit"),
        firstNumber(
            "POWER_MGMT_LIMIT_DEF",
            exact(),
            readings + "default_power_limit",
            "power_readings/default_power_limit"),
        firstNumber(
            "POWER_MGMT_LIMIT_MIN",
            exact(),
            readings + "min_power_limit",
            "power_readings/min_power_limit"),
        firstNumber(
            "POWER_MGMT_LIMIT_MAX",
            exact(),
            readings + "max_power_limit",
            "power_readings/max_power_limit"));
  }

  private static List<Check> clocks() {
    return List.of(
        number("SM_CLOCK", "clocks/sm_clock", within(60, 0.10)),
        number("MEM_CLOCK", "clocks/mem_clock", within(1)),
        number("VIDEO_CLOCK", "clocks/video_clock", within(60, 0.10)),
        number("MAX_SM_CLOCK", "max_clocks/sm_clock", exact()),
        number("MAX_MEM_CLOCK", "max_clocks/mem_clock", exact()),
        number("APP_SM_CLOCK", "applications_clocks/graphics_clock", exact()),
        number("APP_MEM_CLOCK", "applications_clocks/mem_clock", exact()));
  }

  /** Percentage points, because the sample periods differ. */
  private static List<Check> activity() {
    return List.of(
        number("GPU_UTIL", "utilization/gpu_util", within(10)),
        number("MEM_COPY_UTIL", "utilization/memory_util", within(10)),
        number("ENC_UTIL", "utilization/encoder_util", within(5)),
        number("DEC_UTIL", "utilization/decoder_util", within(5)));
  }

  /** Both round to MiB, but differently. */
  private static List<Check> memory() {
    return List.of(
        number("FB_TOTAL", "fb_memory_usage/total", within(1)),
        number("FB_RESERVED", "fb_memory_usage/reserved", within(1)),
        number("FB_USED", "fb_memory_usage/used", within(16)),
        number("FB_FREE", "fb_memory_usage/free", within(16)),
        number("BAR1_TOTAL", "bar1_memory_usage/total", within(1)),
        number("BAR1_USED", "bar1_memory_usage/used", within(16)));
  }

  /** Newer drivers split the uncorrectable SRAM count by how the error was found. */
  private static List<Check> ecc() {
    String vol = "ecc_errors/volatile/";
    String agg = "ecc_errors/aggregate/";
    return List.of(
        flag("ECC_CURRENT", "ecc_mode/current_ecc", "Enabled"),
        flag("ECC_PENDING", "ecc_mode/pending_ecc", "Enabled"),
        sum("ECC_SBE_VOL_TOTAL", correctable(vol)),
        sum("ECC_DBE_VOL_TOTAL", uncorrectable(vol)),
        sum("ECC_SBE_AGG_TOTAL", correctable(agg)),
        sum("ECC_DBE_AGG_TOTAL", uncorrectable(agg)),
        sum("ECC_SBE_VOL_DEV", vol + "dram_correctable"),
        sum("ECC_DBE_VOL_DEV", vol + "dram_uncorrectable"),
        sum("ECC_SBE_AGG_DEV", agg + "dram_correctable"),
        sum("ECC_DBE_AGG_DEV", agg + "dram_uncorrectable"),
        sum("ECC_SBE_VOL_SRM", vol + "sram_correctable"),
        sum("ECC_DBE_VOL_SRM", uncorrectableSram(vol)),
        sum("ECC_SBE_AGG_SRM", agg + "sram_correctable"),
        sum("ECC_DBE_AGG_SRM", uncorrectableSram(agg)),
        flag("THRESHOLD_SRM", agg + "sram_threshold_exceeded", "Yes"),
        flag("MEMORY_UNREPAIRABLE_FLAG", "ecc_errors/unrepairable_memory", "Yes"));
  }

  private static String[] correctable(String where) {
    return new String[] {where + "sram_correctable", where + "dram_correctable"};
  }

  private static String[] uncorrectableSram(String where) {
    return new String[] {
      where + "sram_uncorrectable",
      where + "sram_uncorrectable_parity",
      where + "sram_uncorrectable_secded"
    };
  }

  private static String[] uncorrectable(String where) {
    return Stream.concat(
            Stream.of(uncorrectableSram(where)), Stream.of(where + "dram_uncorrectable"))
        .toArray(String[]::new);
  }

  private static List<Check> rows() {
    String banks = "remapped_rows/row_remapper_histogram/row_remapper_histogram_";
    String retired = "retired_pages/";
    return List.of(
        number("CORRECTABLE_REMAPPED_ROWS", "remapped_rows/remapped_row_corr", exact()),
        number("UNCORRECTABLE_REMAPPED_ROWS", "remapped_rows/remapped_row_unc", exact()),
        flag("ROW_REMAP_PENDING", "remapped_rows/remapped_row_pending", "Yes"),
        flag("ROW_REMAP_FAILURE", "remapped_rows/remapped_row_failure", "Yes"),
        number("BANKS_REMAP_ROWS_AVAIL_MAX", banks + "max", exact()),
        number("BANKS_REMAP_ROWS_AVAIL_HIGH", banks + "high", exact()),
        number("BANKS_REMAP_ROWS_AVAIL_PARTIAL", banks + "partial", exact()),
        number("BANKS_REMAP_ROWS_AVAIL_LOW", banks + "low", exact()),
        number("BANKS_REMAP_ROWS_AVAIL_NONE", banks + "none", exact()),
        number("RETIRED_SBE", retired + "multiple_single_bit_retirement/retired_count", exact()),
        number("RETIRED_DBE", retired + "double_bit_retirement/retired_count", exact()),
        flag("RETIRED_PENDING", retired + "pending_retirement", "Yes"));
  }

  private static List<Check> pcie() {
    String link = "pci/pci_gpu_link_info/";
    return List.of(
        number("PCIE_LINK_GEN", link + "pcie_gen/current_link_gen", exact()),
        number("PCIE_MAX_LINK_GEN", link + "pcie_gen/max_link_gen", exact()),
        number("PCIE_LINK_WIDTH", link + "link_widths/current_link_width", exact()),
        number("PCIE_MAX_LINK_WIDTH", link + "link_widths/max_link_width", exact()),
        number("PCIE_REPLAY_COUNTER", "pci/replay_counter", exact()));
  }

  private static List<Check> state() {
    return List.of(
        number("PSTATE", "performance_state", exact()),
        flag("PERSISTENCE_MODE", "persistence_mode", "Enabled"),
        flag("MIG_MODE", "mig_mode/current_mig", "Enabled"),
        new Check("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", EventReasons::mask, new Closeness.Bits()),
        reasonNanos("SW_POWER_CAP", "sw_power_cap"),
        reasonNanos("SYNC_BOOST", "sync_boost"),
        reasonNanos("SW_THERM_SLOWDOWN", "sw_thermal_slowdown"),
        reasonNanos("HW_THERM_SLOWDOWN", "hw_thermal_slowdown"),
        reasonNanos("HW_POWER_BRAKE_SLOWDOWN", "hw_power_brake_slowdown"),
        new Check("DCGM_FI_DEV_FABRIC_MANAGER_STATUS", Checks::fabricState, exact()),
        place("FABRIC_MANAGER_ERROR_CODE", "fabric/status", List.of("Success")),
        place("FABRIC_HEALTH_SUMMARY", "fabric/health/summary", FABRIC_SUMMARIES),
        place("GET_GPU_RECOVERY_ACTION", "gpu_recovery_action", RECOVERY_ACTIONS));
  }

  /** NVML's enumerations in order, in nvidia-smi's terms. */
  private static final List<String> FABRIC_STATES =
      List.of("Not Supported", "Not Started", "In Progress", "Completed");

  /** DCGM has a state of its own for a GPU that completed with an error. */
  private static OptionalDouble fabricState(SmiGpu gpu) {
    boolean failed =
        gpu.text("fabric/state").filter("Completed"::equals).isPresent()
            && gpu.text("fabric/status").filter(Set.of("Success", "N/A")::contains).isEmpty();
    return failed
        ? OptionalDouble.of(FABRIC_STATES.size())
        : gpu.place("fabric/state", FABRIC_STATES);
  }

  private static final List<String> FABRIC_SUMMARIES =
      List.of("Not Supported", "Healthy", "Unhealthy", "Limited Capacity");

  private static final List<String> RECOVERY_ACTIONS =
      List.of("None", "GPU Reset", "Node Reboot", "Drain P2P", "Drain and Reset");

  private static Check place(String field, String path, List<String> names) {
    return new Check("DCGM_FI_DEV_" + field, gpu -> gpu.place(path, names), exact());
  }

  /** nvidia-smi counts microseconds, DCGM nanoseconds; and polls may be a second apart. */
  private static Check reasonNanos(String field, String name) {
    String path = "clocks_event_reasons_counters/clocks_event_reasons_counters_" + name;
    return new Check(
        "DCGM_FI_DEV_CLOCKS_EVENT_REASON_" + field + "_NS",
        gpu -> thousandfold(gpu.number(path)),
        within(1e9));
  }

  private static OptionalDouble thousandfold(OptionalDouble micros) {
    return micros.stream().map(us -> us * 1_000).findFirst();
  }
}
