package io.lapwing.simulator;

import java.util.List;
import java.util.Map;

/**
 * One model of GPU, from {@code instances.yaml}.
 *
 * @param name as NVML prints it
 * @param pciDevice the PCI device id, "0x2330"
 * @param linkSpeed as the kernel writes it, "32.0 GT/s PCIe"
 * @param tokensOfStep tokens of one GPU in a step of half a second, for a model of 8e9 parameters
 *     at 40 % of the GPU's peak
 * @param mig the names of its MIG profiles, the smallest first; empty without MIG
 * @param state the state lines that differ from the library's presets
 */
public record GpuModel(
    String name,
    String pciDevice,
    String linkSpeed,
    int tokensOfStep,
    List<String> mig,
    Map<String, String> state) {
  public GpuModel {
    mig = List.copyOf(mig);
    state = Map.copyOf(state);
  }

  /** Whether its NVLink domain spans several nodes. */
  boolean isOfDomain() {
    return state.containsKey("fabric.uuid");
  }
}
