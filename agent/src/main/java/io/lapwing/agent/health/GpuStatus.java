package io.lapwing.agent.health;

import java.util.Set;

/**
 * One GPU at one moment: a part of the node with an index and an address.
 *
 * @param part its name is the UUID, its reason a word such as {@code gpu_is_lost}
 * @param index of NVML; the last known one
 * @param pci {@code 0000:53:00}; empty where unknown
 */
public record GpuStatus(PartStatus part, int index, String pci) {

  public GpuStatus(
      String uuid, int index, String pci, PartStatus.State state, String reason, Values values) {
    this(new PartStatus(Subject.Gpu.KIND, uuid, state, reason, values), index, pci);
  }

  /** Without a reason. */
  public GpuStatus(String uuid, int index, String pci, PartStatus.State state, Values values) {
    this(uuid, index, pci, state, "", values);
  }

  /** Errors of NVML that are about the driver, not about one GPU. */
  private static final Set<String> OF_THE_DRIVER =
      Set.of("driver_not_loaded", "uninitialized", "lib_rm_version_mismatch");

  /** Whether it fails or is no longer counted while the driver answers. */
  public boolean lost() {
    return state() == PartStatus.State.GONE
        || (state() == PartStatus.State.DOWN && !OF_THE_DRIVER.contains(reason()));
  }

  public String uuid() {
    return part.name();
  }

  public PartStatus.State state() {
    return part.state();
  }

  public boolean answers() {
    return part.answers();
  }

  public String reason() {
    return part.reason();
  }

  public Values values() {
    return part.values();
  }

  public Subject subject() {
    return part.subject();
  }

  /** The part in {@link Trends#increase}. */
  public String key() {
    return part.key();
  }

  /** For texts: {@code GPU 3}. */
  public String text() {
    return "GPU " + index;
  }
}
