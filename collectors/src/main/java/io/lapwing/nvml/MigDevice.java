package io.lapwing.nvml;

import io.lapwing.collect.Reading;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A MIG device: one compute instance of a GPU instance. Activity and memory are those of the GPU
 * instance, which its compute instances share.
 *
 * @param uuid {@code MIG-...}
 * @param gpuInstance id of the GPU instance, unique on its GPU
 * @param computeInstance id of the compute instance, unique in its GPU instance
 * @param profile of the GPU instance, such as {@code 1g.10gb+me}; empty if NVML has no name
 * @param attributes empty where NVML has none
 * @param placement empty without permission to read it
 * @param memory of the GPU instance
 */
public record MigDevice(
    String uuid,
    int gpuInstance,
    int computeInstance,
    String profile,
    Optional<Attributes> attributes,
    Optional<Placement> placement,
    Reading<NvmlGpu.Memory> memory) {

  private static final String IN_NAME = " MIG ";
  private static final Pattern COMPUTE_SLICES = Pattern.compile("[0-9]+c\\.");

  private static final Set<String> GONE =
      Set.of(NvmlReturn.INVALID_ARGUMENT.reason(), NvmlReturn.NOT_FOUND.reason());

  /**
   * {@code nvmlDeviceAttributes_t}.
   *
   * @param multiprocessors of the compute instance
   * @param gpuSlices of the GPU instance
   * @param computeSlices of the compute instance
   * @param memoryMebibytes of the GPU instance
   */
  public record Attributes(
      int multiprocessors, int gpuSlices, int computeSlices, long memoryMebibytes) {}

  /** Where a GPU instance lies, in slices of memory. */
  public record Placement(int start, int size) {

    /** As {@code nvidia-smi mig -lgi} prints it. */
    @Override
    public String toString() {
      return start + ":" + size;
    }
  }

  /**
   * The GPU instance's profile in the name of a MIG device: {@code NVIDIA H100 80GB HBM3 MIG
   * 1c.3g.40gb} is a compute instance with one of three slices.
   */
  static String profile(String name) {
    int at = name.lastIndexOf(IN_NAME);
    return at < 0
        ? ""
        : COMPUTE_SLICES.matcher(name.substring(at + IN_NAME.length()).strip()).replaceFirst("");
  }

  /** Whether an answer means that a MIG device or GPU instance does not exist any more. */
  public static boolean isGone(Reading<?> reading) {
    return reading.failure().filter(GONE::contains).isPresent();
  }

  /** Whether this is of the same GPU instance as another device that was read at another time. */
  boolean sameInstance(MigDevice other) {
    return gpuInstance == other.gpuInstance
        && profile.equals(other.profile)
        && placement.equals(other.placement);
  }
}
