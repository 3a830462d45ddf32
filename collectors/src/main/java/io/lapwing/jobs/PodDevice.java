package io.lapwing.jobs;

/**
 * One device that a container has.
 *
 * @param resource what it was asked for by, such as {@code nvidia.com/gpu}, or the driver that gave
 *     it, such as {@code gpu.nvidia.com}
 * @param id as the device plugin, or the driver, calls it
 */
public record PodDevice(
    String namespace, String pod, String container, String resource, String id) {

  private static final String PLUGIN = "nvidia.com/";
  private static final String DRIVER = "gpu.nvidia.com";

  /**
   * Whether devices of that name are GPUs or parts of them: {@code nvidia.com/gpu}, {@code
   * nvidia.com/gpu.shared}, {@code nvidia.com/mig-1g.10gb}.
   */
  public static boolean isGpu(String resource) {
    return resource.startsWith(PLUGIN + "gpu")
        || resource.startsWith(PLUGIN + "mig-")
        || resource.equals(DRIVER);
  }
}
