package io.lapwing.simulator;

import java.util.Map;

/**
 * One model of GPU, from {@code instances.yaml}.
 *
 * @param name as NVML prints it
 * @param pciDevice the PCI device id, "0x2330"
 * @param linkSpeed as the kernel writes it, "32.0 GT/s PCIe"
 * @param tokensOfStep what one such GPU trains on in a step of half a second, as a model of eight
 *     thousand million parameters does at two fifths of the GPU's peak
 * @param state the lines by which the model differs from the library's presets
 */
public record GpuModel(
    String name, String pciDevice, String linkSpeed, int tokensOfStep, Map<String, String> state) {
  public GpuModel {
    state = Map.copyOf(state);
  }
}
