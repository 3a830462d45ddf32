package io.lapwing.agent.health;

import java.time.Duration;
import java.util.Set;

/**
 * A GPU: the part's name is the UUID, {@code index} NVML's last known one, {@code pci} {@code
 * 0000:53:00} or empty, {@code model} NVML's name such as {@code NVIDIA H100 80GB HBM3} or empty,
 * {@code hung} for how long the current reading has not returned, zero unless it hangs.
 */
public record GpuStatus(PartStatus part, int index, String pci, String model, Duration hung) {

  /** Also by its PCI address: of an early XID the UUID is unknown. */
  public boolean is(Subject subject) {
    return subject instanceof Subject.Gpu gpu
        && (gpu.uuid().equals(uuid()) || gpu.uuid().equals(pci));
  }

  public GpuStatus(PartStatus part, int index, String pci, String model) {
    this(part, index, pci, model, Duration.ZERO);
  }

  public GpuStatus(
      String uuid, int index, String pci, PartStatus.State state, String reason, Values values) {
    this(new PartStatus(Subject.Gpu.KIND, uuid, state, reason, values), index, pci, "");
  }

  public GpuStatus(String uuid, int index, String pci, PartStatus.State state, Values values) {
    this(uuid, index, pci, state, "", values);
  }

  /** The same GPU while an operator has the GPUs released. */
  public GpuStatus released() {
    PartStatus unread =
        new PartStatus(part.kind(), part.name(), PartStatus.State.DOWN, "released", Values.NONE);
    return new GpuStatus(unread, index, pci, model);
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
