package io.lapwing.dashboards;

import java.util.List;

/** GPU overview, activity, temperature and power. */
final class NodeGpuRows {

  private static final String LEGEND = "{{instance}} GPU {{gpu}}";

  private NodeGpuRows() {}

  /** One line per GPU, also with several exporters on a node. */
  private static Query byGpu(String family) {
    return Query.lines("max by (instance, gpu) (" + family + "{gpu})", LEGEND);
  }

  /** One line per GPU, or per MIG instance where the family has instances. */
  private static Query byPart(String family) {
    return Query.lines(
        "max by (instance, gpu, GPU_I_PROFILE, GPU_I_ID) (" + family + "{gpu})",
        LEGEND + " {{GPU_I_PROFILE}} {{GPU_I_ID}}");
  }

  /** A ratio of each GPU of the node; that of its MIG instances counts by their slices. */
  private static String ofGpu(String family) {
    return """
        (max by (gpu) (%1$s{gpu, GPU_I_ID=""}) or on (gpu) %2$s)
        """
        .formatted(family, bySlices(family + "{gpu, GPU_I_ID!=\"\"}"));
  }

  private static String bySlices(String instances) {
    return """
        sum by (gpu) (
          max by (gpu, GPU_I_ID) (%s)
            * on (gpu, GPU_I_ID) max by (gpu, GPU_I_ID) (lapwing_gpu_instance_slices_ratio{gpu}))
        """
        .formatted(instances);
  }

  private static Query cell(String family) {
    return Query.rows("max by (gpu) (" + family + "{gpu})");
  }

  static Row gpus() {
    return Row.of(
        "GPUs",
        Panel.table(
                "GPU overview",
                "Current state of each GPU. A GPU that does not answer has only its identity; its"
                    + " serial number is needed for a return. Activity of a GPU with MIG is that of"
                    + " its instances, by their slices.",
                List.of(
                    Column.of("gpu", "GPU").width(50),
                    Column.of("Value #A", "Verdict").scale(Scales.VERDICT),
                    Column.of("Value #B", "Up").scale(Scales.YES_IS_GOOD),
                    Column.of("Value #C", "SMs active", Unit.RATIO).scale(Unsupported.scale()),
                    Column.of("Value #D", "Core", Unit.CELSIUS),
                    Column.of("Value #E", "Memory", Unit.CELSIUS).scale(Scale.rising(95, 105)),
                    Column.of("Value #F", "Power", Unit.WATT),
                    Column.of("Value #G", "Clock", Unit.MEGAHERTZ),
                    Column.of("Value #H", "Memory used", Unit.RATIO),
                    Column.of("Value #I", "Uncorrectable", Unit.COUNT).scale(Scale.rising(1)),
                    Column.of("Value #J", "Reset pending").scale(Scales.YES_IS_BAD),
                    Column.of("Value #K", "NVLinks up", Unit.COUNT),
                    Column.of("serial", "Serial"),
                    Column.of("UUID", "UUID")),
                Query.rows(
                    """
                    max by (gpu) (
                      3 * lapwing_gpu_verdict{gpu, verdict="failing"}
                      or 2 * lapwing_gpu_verdict{gpu, verdict="unknown"}
                      or lapwing_gpu_verdict{gpu, verdict="degraded"}
                      or 0 * lapwing_gpu_verdict{gpu, verdict="healthy"})
                    """),
                cell("lapwing_gpu_up"),
                Query.rows(
                    ofGpu("DCGM_FI_PROF_SM_ACTIVE")
                        + "or on (gpu) (max by (gpu) (lapwing_gpu_gpm_supported{gpu}) - 1 < 0)"),
                cell("DCGM_FI_DEV_GPU_TEMP"),
                cell("DCGM_FI_DEV_MEMORY_TEMP"),
                cell("DCGM_FI_DEV_POWER_USAGE"),
                cell("DCGM_FI_DEV_SM_CLOCK"),
                cell("DCGM_FI_DEV_FB_USED_PERCENT"),
                cell("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL"),
                cell("DCGM_FI_DEV_ROW_REMAP_PENDING"),
                cell("lapwing_gpu_nvlinks_up"),
                Query.rows(
                    "max by (gpu, serial, UUID) (last_over_time(lapwing_gpu_info{gpu}[$__range]))"))
            .size(24, 8));
  }

  static Row load() {
    return Row.folded(
        "GPU activity",
        Panel.stat(
                "SMs active",
                "Share of time in which an SM had work, mean over the selected GPUs; MIG instances"
                    + " count by their slices.",
                Unit.RATIO,
                Query.latest(
                    Unsupported.orMinusOne("avg(" + ofGpu("DCGM_FI_PROF_SM_ACTIVE") + ")", "{gpu}"),
                    ""))
            .scale(Unsupported.scale())
            .size(4, 4),
        Panel.stat(
                "Memory used",
                "Sum over the selected GPUs.",
                Unit.MEBIBYTES,
                Query.latest("sum(max by (gpu, GPU_I_ID) (DCGM_FI_DEV_FB_USED{gpu}))", ""))
            .size(4, 4),
        Panel.stat(
                "Power",
                "Sum over the selected GPUs.",
                Unit.WATT,
                Query.latest("sum(max by (gpu) (DCGM_FI_DEV_POWER_USAGE{gpu}))", ""))
            .size(4, 4),
        Panel.stat(
                "Mean temperature",
                "Mean over the selected GPUs.",
                Unit.CELSIUS,
                Query.latest("avg(max by (gpu) (DCGM_FI_DEV_GPU_TEMP{gpu}))", ""))
            .decimals(0)
            .size(4, 4),
        Panel.stat(
                "Allocated",
                "Allocated GPUs, in use or idle; MIG instances count by their slices.",
                Unit.COUNT,
                Query.latest(
                    "sum("
                        + bySlices("lapwing_gpu_instance_allocated{gpu}")
                        + "or on (gpu) max by (gpu) (lapwing_gpu_allocated{gpu}))",
                    ""))
            .size(4, 4),
        Panel.stat(
                "Processes",
                "Processes with a compute context on the selected GPUs.",
                Unit.COUNT,
                Query.latest("sum(max by (gpu) (lapwing_gpu_compute_processes{gpu}))", ""))
            .size(4, 4),
        ratio("SMs active", "DCGM_FI_PROF_SM_ACTIVE", "Share of time in which an SM had a warp."),
        ratio(
            "Tensor cores active",
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
            "Share of time in which the tensor pipe was busy."),
        ratio(
            "Memory interface busy",
            "DCGM_FI_PROF_DRAM_ACTIVE",
            "Share of time in which the memory interface was busy."),
        Panel.lines(
                "Utilization",
                "Share of time in which any kernel ran, as in nvidia-smi. A kernel that only"
                    + " waits counts as well, so a hung job shows 100%.",
                Unit.PERCENT,
                byGpu("DCGM_FI_DEV_GPU_UTIL"))
            .size(8, 8)
            .between(0, 100),
        Panel.lines(
                "Memory used",
                "Memory in use, without the driver's own reserve; of a GPU with MIG, of each instance.",
                Unit.MEBIBYTES,
                byPart("DCGM_FI_DEV_FB_USED"))
            .size(8, 8)
            .from(0),
        Panel.lines(
                "SM clock",
                "A GPU with a lower clock than the others slows down the whole job.",
                Unit.MEGAHERTZ,
                byGpu("DCGM_FI_DEV_SM_CLOCK"))
            .size(8, 8)
            .from(0));
  }

  private static Panel ratio(String title, String family, String description) {
    return Panel.lines(
            title,
            description + " Of a GPU with MIG, of each instance.",
            Unit.RATIO,
            byPart(family),
            Unsupported.byNode("{gpu"))
        .size(8, 8)
        .between(0, 1);
  }

  static Row heat() {
    return Row.folded(
        "Temperature, power and throttling",
        Panel.lines(
                "Core temperature",
                "Core temperature of each GPU.",
                Unit.CELSIUS,
                byGpu("DCGM_FI_DEV_GPU_TEMP"))
            .size(8, 8),
        Panel.lines(
                "Memory temperature",
                "Memory temperature of each GPU; hot memory has more errors.",
                Unit.CELSIUS,
                byGpu("DCGM_FI_DEV_MEMORY_TEMP"))
            .size(8, 8),
        Panel.lines(
                "Power",
                "Power of each GPU, averaged over about a second.",
                Unit.WATT,
                byGpu("DCGM_FI_DEV_POWER_USAGE"))
            .size(8, 8)
            .from(0),
        Panel.states(
                "Throttle reasons",
                "Active throttle reasons. Power cap is normal under full load; heat, hardware and"
                    + " power brake are not.",
                Scale.below("green")
                    .from("orange", 1)
                    .word(0, "no", "green")
                    .word(1, "throttled", "orange"),
                Query.lines(
                    """
                    max by (instance, gpu, reason) (
                      lapwing_gpu_clock_event_active{gpu, reason=~"hw_slowdown|hw_thermal|hw_power_brake|sw_thermal"}
                        and max_over_time(lapwing_gpu_clock_event_active{gpu}[$__range]) > 0)
                    """,
                    LEGEND + " {{reason}}"))
            .size(12, 9)
            .whenEmpty("No throttling other than by the power limit"),
        Panel.lines(
                "Throttled time by reason",
                "Share of time in which the selected GPUs were throttled, from the driver's"
                    + " counters.",
                Unit.RATIO,
                held("SW_POWER_CAP", "power cap"),
                held("SW_THERM_SLOWDOWN", "heat, driver"),
                held("HW_THERM_SLOWDOWN", "heat, hardware"),
                held("HW_POWER_BRAKE_SLOWDOWN", "power brake"))
            .size(12, 9)
            .from(0));
  }

  private static Query held(String reason, String words) {
    return Query.lines(
        "max by (instance) (rate(DCGM_FI_DEV_CLOCKS_EVENT_REASON_"
            + reason
            + "_NS{gpu}[$__rate_interval])) / 1e9",
        "{{instance}} " + words);
  }
}
