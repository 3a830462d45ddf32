package io.lapwing.bench.gpu;

import io.lapwing.collect.Reading;
import io.lapwing.nvml.GpmMetric;
import io.lapwing.nvml.GpmValues;
import io.lapwing.nvml.MigDevice;
import io.lapwing.nvml.NvmlGpu;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The averages between two samples of GPM, and the division by MIG, as lines of a state. {@link
 * #begin} takes the first sample, {@link #end} the second.
 */
final class ActivityRecording {

  private static final double PERCENT = 100;
  private static final double MEBIBYTE = 1024 * 1024;

  /** Keys of the state; those of rates are also what the simulator counts bytes of. */
  private static final Map<GpmMetric, String> KEYS =
      new EnumMap<>(
          Map.ofEntries(
              Map.entry(GpmMetric.GRAPHICS_ACTIVE, "gpm.graphics"),
              Map.entry(GpmMetric.SM_ACTIVE, "gpm.sm_active"),
              Map.entry(GpmMetric.SM_OCCUPANCY, "gpm.sm_occupancy"),
              Map.entry(GpmMetric.INTEGER_ACTIVE, "gpm.integer"),
              Map.entry(GpmMetric.TENSOR_ACTIVE, "gpm.tensor"),
              Map.entry(GpmMetric.DFMA_TENSOR_ACTIVE, "gpm.dfma"),
              Map.entry(GpmMetric.HMMA_TENSOR_ACTIVE, "gpm.hmma"),
              Map.entry(GpmMetric.IMMA_TENSOR_ACTIVE, "gpm.imma"),
              Map.entry(GpmMetric.DRAM_ACTIVE, "gpm.dram"),
              Map.entry(GpmMetric.FP64_ACTIVE, "gpm.fp64"),
              Map.entry(GpmMetric.FP32_ACTIVE, "gpm.fp32"),
              Map.entry(GpmMetric.FP16_ACTIVE, "gpm.fp16"),
              Map.entry(GpmMetric.PCIE_TX, "pcie.tx"),
              Map.entry(GpmMetric.PCIE_RX, "pcie.rx"),
              Map.entry(GpmMetric.NVDEC_0_ACTIVE, "gpm.nvdec"),
              Map.entry(GpmMetric.NVJPG_0_ACTIVE, "gpm.nvjpg"),
              Map.entry(GpmMetric.NVOFA_0_ACTIVE, "gpm.nvofa"),
              Map.entry(GpmMetric.NVLINK_RX, "nvlink.rx"),
              Map.entry(GpmMetric.NVLINK_TX, "nvlink.tx"),
              Map.entry(GpmMetric.C2C_RX, "c2c.rx"),
              Map.entry(GpmMetric.C2C_TX, "c2c.tx")));

  private static final Set<GpmMetric> RATES =
      EnumSet.of(
          GpmMetric.PCIE_TX,
          GpmMetric.PCIE_RX,
          GpmMetric.NVLINK_RX,
          GpmMetric.NVLINK_TX,
          GpmMetric.C2C_RX,
          GpmMetric.C2C_TX);

  private static final Set<GpmMetric> RATIOS = ratios();

  private static Set<GpmMetric> ratios() {
    Set<GpmMetric> ratios = EnumSet.copyOf(KEYS.keySet());
    ratios.removeAll(RATES);
    return ratios;
  }

  private final NvmlGpu gpu;
  private final StateLines lines;
  private final Identities identities;
  private final String at;
  private List<MigDevice> devices = List.of();

  ActivityRecording(NvmlGpu gpu, StateLines lines, Identities identities) {
    this.gpu = gpu;
    this.lines = lines;
    this.identities = identities;
    this.at = "gpu." + gpu.index() + ".";
  }

  void begin() {
    Reading<NvmlGpu.MigMode> mode = gpu.migMode();
    lines.answer(
        at,
        "mig.mode",
        "nvmlDeviceGetMigMode",
        mode.map(NvmlGpu.MigMode::current),
        String::valueOf);
    lines.answer(
        at,
        "mig.mode.pending",
        "nvmlDeviceGetMigMode",
        mode.map(NvmlGpu.MigMode::pending),
        String::valueOf);
    lines.answer(
        at,
        "mig.devices.max",
        "nvmlDeviceGetMaxMigDeviceCount",
        gpu.maxMigDevices(),
        String::valueOf);
    if (mode.toOptional().filter(now -> now.current() == 1).isPresent()) {
      Reading<List<MigDevice>> found = gpu.migDevices();
      devices = found.toOptional().orElse(List.of());
      found.failure().ifPresent(why -> lines.note(at + "mig.instances failed with " + why));
    }
    gpu.gpm(KEYS.keySet());
    devices.forEach(device -> gpu.gpm(device.gpuInstance(), RATIOS));
  }

  void end() {
    Reading<GpmValues> whole = gpu.gpm(KEYS.keySet());
    if (whole instanceof Reading.Unsupported || whole instanceof Reading.Missing) {
      lines.put(at + "gpm", "unsupported");
      if (!devices.isEmpty()) {
        instances(Map.of(), 0);
      }
      return;
    }
    whole.failure().ifPresent(why -> lines.put(at + "gpm", "nan"));
    if (whole.failure().isPresent()) {
      lines.note(at + "gpm failed with " + whole.failure().get() + ": has no data here");
      return;
    }
    GpmValues values = whole.toOptional().orElse(GpmValues.NONE);
    if (KEYS.keySet().stream().allMatch(metric -> isWithoutData(values.get(metric)))) {
      lines.put(at + "gpm", "nan");
      if (devices.isEmpty()) {
        return;
      }
    }
    if (devices.isEmpty()) {
      KEYS.forEach((metric, key) -> put(key, metric, values.get(metric), 1));
    } else {
      divided(values);
    }
  }

  private static boolean isWithoutData(Reading<Double> value) {
    return value.failure().isPresent() || value instanceof Reading.Unsupported;
  }

  private void put(String key, GpmMetric metric, Reading<Double> value, double share) {
    double scale = RATES.contains(metric) ? 1 / MEBIBYTE : PERCENT;
    lines.answerOfMany(at, key, value, number -> StateLines.number(number * scale / share));
  }

  /**
   * The simulator has one activity for all instances, and each instance's share of it. The busiest
   * one has all of it.
   */
  private void divided(GpmValues whole) {
    Map<Integer, GpmValues> instances = new LinkedHashMap<>();
    for (MigDevice device : devices) {
      gpu.gpm(device.gpuInstance(), RATIOS)
          .toOptional()
          .ifPresent(values -> instances.putIfAbsent(device.gpuInstance(), values));
    }
    Optional<GpmValues> busiest =
        instances.values().stream().max((a, b) -> Double.compare(active(a), active(b)));
    double most = busiest.map(ActivityRecording::active).orElse(0.0);
    KEYS.forEach(
        (metric, key) ->
            put(
                key,
                metric,
                RATES.contains(metric)
                    ? whole.get(metric)
                    : busiest.map(values -> values.get(metric)).orElse(whole.get(metric)),
                1));
    instances(instances, most);
  }

  /** Without samples of the instances their activity is equal; DCGM may have some. */
  private void instances(Map<Integer, GpmValues> instances, double most) {
    for (MigDevice device : devices) {
      identities.mig(gpu.index(), device.gpuInstance(), device.uuid());
    }
    lines.put(
        at + "mig.instances",
        devices.stream()
            .filter(device -> device.computeInstance() == 0)
            .map(device -> instance(device, instances, most))
            .collect(Collectors.joining(" ")));
    lines.note(
        at
            + "mig.instances: one compute instance each; the values of a profile are the simulator's;"
            + " activities are one per instance, scaled by its SM activity");
  }

  private static double active(GpmValues values) {
    return values.get(GpmMetric.SM_ACTIVE).toOptional().orElse(0.0);
  }

  private static String instance(MigDevice device, Map<Integer, GpmValues> instances, double most) {
    GpmValues its = instances.getOrDefault(device.gpuInstance(), GpmValues.NONE);
    String share = most > 0 ? "*" + StateLines.number(active(its) / most) : "";
    int start = device.placement().map(MigDevice.Placement::start).orElse(0);
    return device.gpuInstance() + ":" + device.profile() + "@" + start + share;
  }
}
