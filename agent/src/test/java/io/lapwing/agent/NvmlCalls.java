package io.lapwing.agent;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every call of NVML that the agent can make, and how to make it make that one. */
final class NvmlCalls {

  private static final String BINDING = "io.lapwing.nvml.NvmlLibrary";

  /** Older forms, called where the library has no newer one. */
  private static final Map<String, String> NEWER =
      Map.of(
          "nvmlInit", "nvmlInit_v2",
          "nvmlDeviceGetTemperature", "nvmlDeviceGetTemperatureV",
          "nvmlDeviceGetCurrentClocksThrottleReasons", "nvmlDeviceGetCurrentClocksEventReasons",
          "nvmlDeviceGetMemoryInfo", "nvmlDeviceGetMemoryInfo_v2",
          "nvmlDeviceGetGpuFabricInfo", "nvmlDeviceGetGpuFabricInfoV",
          "nvmlEventSetWait", "nvmlEventSetWait_v2");

  private static final String NO_SUCH_FUNCTION = "13";

  /**
   * Calls made where the field of the batch that tells the same is not supported, by its number.
   */
  private static final Map<String, List<Integer>> FIELDS =
      Map.of(
          "nvmlDeviceGetPowerUsage", List.of(185),
          "nvmlDeviceGetEnforcedPowerLimit", List.of(190),
          "nvmlDeviceGetPowerManagementLimit", List.of(192),
          "nvmlDeviceGetPowerManagementDefaultLimit", List.of(189),
          "nvmlDeviceGetPowerManagementLimitConstraints", List.of(187, 188));

  private static final String NOT_SUPPORTED = "3";

  /** What makes the agent ask everything once more: a driver that was loaded anew. */
  private static final Map<String, String> RELOAD = Map.of("driver.generation", "2");

  /** Samples are given back when a GPU was reset. */
  private static final Map<String, Map<String, String>> OCCASIONS =
      Map.of("nvmlGpmSampleFree", Map.of("gpu.*.generation", "2"));

  /** Those of the listener for XIDs, which has a thread of its own. */
  static final Set<String> OF_EVENTS =
      Set.of(
          "nvmlEventSetCreate",
          "nvmlEventSetFree",
          "nvmlEventSetWait",
          "nvmlEventSetWait_v2",
          "nvmlDeviceGetSupportedEventTypes",
          "nvmlDeviceRegisterEvents");

  /** Those that a GPU's own thread makes, and that name no GPU. */
  private static final Set<String> OF_ANY_GPU =
      Set.of(
          "nvmlDeviceGetHandleByIndex_v2",
          "nvmlGpmSampleAlloc",
          "nvmlGpmSampleFree",
          "nvmlGpmMetricsGet");

  /** Those about one GPU that are made only for labels that a field file asks for. */
  static final List<String> FOR_LABELS =
      List.of("nvmlDeviceGetBrand", "nvmlDeviceGetInforomVersion");

  /** Whether two GPUs reach each other is asked by a source that is no GPU's. */
  static final String OF_PEERS = "nvmlDeviceGetP2PStatus";

  /** Those that are made only for a GPU that is divided. */
  private static final Set<String> OF_MIG =
      Set.of(
          "nvmlDeviceGetMaxMigDeviceCount",
          "nvmlDeviceGetMigDeviceHandleByIndex",
          "nvmlDeviceGetGpuInstanceId",
          "nvmlDeviceGetComputeInstanceId",
          "nvmlDeviceGetAttributes_v2",
          "nvmlDeviceGetGpuInstanceById",
          "nvmlGpuInstanceGetInfo",
          "nvmlGpmMigSampleGet");

  /** Those that are made only where several processes share a GPU. */
  private static final Set<String> OF_SHARED =
      Set.of("nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetProcessUtilization");

  /** Those that are made only for a GPU of a host with vGPUs. */
  private static final Set<String> OF_VGPUS =
      Set.of("nvmlDeviceGetActiveVgpus", "nvmlDeviceGetVgpuUtilization");

  /** One that is made only in a virtual machine with a vGPU. */
  private static final String OF_A_GUEST = "nvmlDeviceGetGridLicensableFeatures_v4";

  /** One that is made only for a GPU of an NVLink domain of several nodes. */
  private static final String OF_A_DOMAIN = "nvmlDeviceGetPlatformInfo";

  private static final String VGPU = "nvmlVgpu";

  private NvmlCalls() {}

  /** All of the binding, by name. */
  static List<String> all() {
    try {
      return Arrays.stream(Class.forName(BINDING).getDeclaredMethods())
          .map(Method::getName)
          .filter(name -> name.startsWith("nvml"))
          .distinct()
          .sorted()
          .toList();
    } catch (ClassNotFoundException moved) {
      throw new AssertionError("where is the binding?", moved);
    }
  }

  /** Those about one GPU, which cost that GPU. */
  static List<String> ofOneGpu() {
    return all().stream()
        .filter(NvmlCalls::namesAGpu)
        .filter(name -> !OF_EVENTS.contains(name) && !name.equals(OF_PEERS))
        .filter(name -> !FOR_LABELS.contains(name))
        .toList();
  }

  /** Those that cost every GPU at once, and not the driver. */
  static List<String> ofEveryGpu() {
    return all().stream().filter(OF_ANY_GPU::contains).toList();
  }

  /** Those of the driver as a whole. */
  static List<String> ofTheDriver() {
    return all().stream()
        .filter(name -> !namesAGpu(name) && !OF_ANY_GPU.contains(name))
        .filter(name -> !OF_EVENTS.contains(name))
        .toList();
  }

  private static boolean namesAGpu(String name) {
    return (name.startsWith("nvmlDevice") || name.startsWith("nvmlGp") || name.startsWith(VGPU))
        && !OF_ANY_GPU.contains(name)
        && !name.equals("nvmlDeviceGetCount_v2");
  }

  /**
   * Lines of a node's state with which a call never returns.
   *
   * @param where {@code gpu.3} or {@code system}
   */
  static Map<String, String> hanging(String where, String call) {
    Map<String, String> lines = new LinkedHashMap<>();
    String newer = NEWER.get(call);
    if (newer != null) {
      lines.put(where + ".return." + newer, NO_SUCH_FUNCTION);
    }
    if (OF_MIG.contains(call)) {
      lines.put(where + ".mig.mode", "1");
      lines.put(where + ".mig.instances", "9:1g.10gb@6");
    }
    if (OF_VGPUS.contains(call) || call.startsWith(VGPU)) {
      lines.put(where + ".virtualization", "3");
      lines.put(where + ".vgpu.0", "20480 5 40 vm-1 NVIDIA H100-20C");
    }
    if (call.equals(OF_A_DOMAIN)) {
      lines.put(where + ".fabric.uuid", "11111111-2222-3333-4444-555555555555");
    }
    if (call.equals(OF_A_GUEST)) {
      lines.put(where + ".virtualization", "2");
    }
    if (OF_SHARED.contains(call)) {
      lines.put(where + ".processes", "4001:100 4002:100");
    }
    FIELDS
        .getOrDefault(call, List.of())
        .forEach(field -> lines.put(where + ".fieldreturn." + field, NOT_SUPPORTED));
    lines.put(where + ".block." + call, "forever");
    return lines;
  }

  /** Lines that let the agent make a call that it makes now and then only. */
  static Map<String, String> occasion(String call) {
    return OCCASIONS.getOrDefault(call, RELOAD);
  }
}
