package io.lapwing.simulator;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The state lines of a new node: the machine, the GPU model, and the identity of each GPU. */
final class NodeState {
  private NodeState() {}

  static Map<String, String> of(InstanceType type, Variant variant, Instant now) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("time", "live");
    lines.put("epoch", Epoch.seconds(now));
    variant.state().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(line -> lines.put(line.getKey(), line.getValue()));
    lines.put("gpu.count", Integer.toString(type.gpuCount()));
    lines.putAll(gpus(type, 0));
    return lines;
  }

  /**
   * Model and identity of the GPUs.
   *
   * @param machine number of machines that this node replaced
   */
  static Map<String, String> gpus(InstanceType type, int machine) {
    Map<String, String> lines = model(type);
    for (int gpu = 0; gpu < type.gpuCount(); gpu++) {
      identify(lines, type, gpu, machine);
    }
    return lines;
  }

  /** The lines for all GPUs. */
  static Map<String, String> model(InstanceType type) {
    Map<String, String> lines = new LinkedHashMap<>();
    lines.put("gpu.*.name", type.gpu().name());
    type.gpu().state().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(line -> lines.put(key(line.getKey()), line.getValue()));
    return lines;
  }

  /** What DCGM sees beside the GPUs is of the node. */
  private static String key(String ofModel) {
    return ofModel.startsWith("dcgm.") ? ofModel : "gpu.*." + ofModel;
  }

  /** Fictitious, but the same for a type in every run, so that metrics can be compared. */
  private static void identify(Map<String, String> lines, InstanceType type, int gpu, int machine) {
    String self = "gpu." + gpu + ".";
    int seed = type.name().hashCode();
    lines.put(self + "bus_id", type.busIds().get(gpu));
    lines.put(
        self + "uuid",
        String.format(
            Locale.ROOT,
            "GPU-%08x-51a7-4ed0-8000-%012x",
            seed,
            0x5eed_0000_0000L + 0x100L * machine + gpu));
    lines.put(
        self + "serial",
        String.format(Locale.ROOT, "165%010d", 22_000_000L + 100L * machine + gpu));
    lines.put(self + "processes", (20_000 + gpu) + ":" + 60_000 / (type.gpuCount() == 1 ? 4 : 1));
  }
}
