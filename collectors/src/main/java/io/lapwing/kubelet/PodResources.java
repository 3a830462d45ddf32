package io.lapwing.kubelet;

import io.lapwing.collect.Reading;
import java.util.List;

/** Lists allocated devices: {@code v1.PodResourcesLister/List}. Not thread-safe. */
public interface PodResources {

  /** Maximum length of the list: 16 GPUs with 7 slices of 32 shares each. */
  int MAX_DEVICES = 4096;

  /**
   * NVIDIA devices of containers, within a few seconds. Missing if there is no kubelet; else failed
   * with {@code no_permission}, {@code refused}, {@code timed_out}, {@code closed}, {@code
   * malformed}, {@code too_large}, {@code too_many}, {@code io}, or the gRPC status in lower case.
   */
  Reading<List<Device>> list();

  /** Closes what a list has left open; the next one opens it again. */
  default void close() {}

  /**
   * The claim of a device by Dynamic Resource Allocation; all fields are empty without one.
   *
   * @param pool of the driver, usually the name of the node
   * @param device in the pool, such as {@code gpu-0}
   */
  record Claim(String name, String namespace, String driver, String pool, String device) {

    public static final Claim NONE = new Claim("", "", "", "", "");
  }

  /**
   * A device of a container: the requested resource, such as {@code nvidia.com/gpu}, or the DRA
   * driver, such as {@code gpu.nvidia.com}, and the device id.
   */
  record Device(
      String namespace, String pod, String container, String resource, String id, Claim claim) {

    /** Of a device plugin. */
    public Device(String namespace, String pod, String container, String resource, String id) {
      this(namespace, pod, container, resource, id, Claim.NONE);
    }

    private static final String PLUGIN = "nvidia.com/";
    private static final String DRIVER = "gpu.nvidia.com";

    /** Whether a resource is GPUs or parts of them, such as {@code nvidia.com/mig-1g.10gb}. */
    public static boolean isGpu(String resource) {
      return resource.startsWith(PLUGIN + "gpu")
          || resource.startsWith(PLUGIN + "mig-")
          || resource.equals(DRIVER);
    }
  }
}
