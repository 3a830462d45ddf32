package io.lapwing.simulator;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Effect of a reboot, or of a replacement of the machine, on the state lines. */
record NodeRestart(InstanceType type, StateFile state) {

  /** State of an idle GPU. */
  private static final Map<String, String> NO_WORK =
      Map.of("gpu.*.processes", "", "gpu.*.load", "0", "gpu.*.memory.used", "0");

  /** Resets every GPU, reloads the driver and ends the job. */
  void reboot(double now) {
    GpuReset reset = reset();
    reset.forgetLinesOfAll();
    IntStream.range(0, type.gpuCount()).forEach(gpu -> reset.apply(gpu, now));
    restartDriver();
    NO_WORK.forEach(this::putForAll);
    LustreSettings.restart(state);
    TrainingSettings.restart(state);
    PressureTree.restart(state);
    EfaSettings.restart(state, type, false);
  }

  /** Other GPUs without any history. */
  void replace(int machine) {
    forget("gpu.");
    forget("pci.");
    NodeState.gpus(type, machine).forEach(state::put);
    restartDriver();
    NO_WORK.forEach(this::putForAll);
    LustreSettings.restart(state);
    TrainingSettings.restart(state);
    PressureTree.restart(state);
    EfaSettings.restart(state, type, true);
  }

  GpuReset reset() {
    return new GpuReset(state, NodeState.model(type));
  }

  private void restartDriver() {
    forget("system.");
    state.remove("driver.mismatch");
    state.put("driver.loaded", "1");
    int generation = Integer.parseInt(state.lines().getOrDefault("driver.generation", "0"));
    state.put("driver.generation", Integer.toString(generation + 1));
  }

  private void forget(String prefix) {
    List.copyOf(state.lines().keySet()).stream()
        .filter(key -> key.startsWith(prefix) && !key.equals("gpu.count"))
        .forEach(state::remove);
  }

  private void putForAll(String key, String value) {
    String rest = key.substring("gpu.*".length());
    IntStream.range(0, type.gpuCount()).forEach(gpu -> state.remove("gpu." + gpu + rest));
    state.put(key, value);
  }
}
