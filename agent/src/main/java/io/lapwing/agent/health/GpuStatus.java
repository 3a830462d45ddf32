package io.lapwing.agent.health;

import java.util.Set;

/**
 * One GPU at one moment.
 *
 * @param index NVML's; the last one it had
 * @param pci {@code 0000:53:00}; empty where unknown
 * @param reason why it does not answer, in a word such as {@code gpu_is_lost}; empty where it does
 * @param values what holds of it now; empty while it does not answer
 */
public record GpuStatus(
    String uuid, int index, String pci, State state, String reason, Values values) {

  /** One that gives no reason. */
  public GpuStatus(String uuid, int index, String pci, State state, Values values) {
    this(uuid, index, pci, state, "", values);
  }

  /** How it stands. */
  public enum State {
    ANSWERS,
    /** A call to it has not come back within the deadline. */
    HUNG,
    /** It is there and refuses. */
    DOWN,
    /** The driver counts it no more. */
    GONE
  }

  /** Answers of NVML that are about the driver, whichever GPU was asked. */
  private static final Set<String> OF_THE_DRIVER =
      Set.of("driver_not_loaded", "uninitialized", "lib_rm_version_mismatch");

  /** Whether it was there and refuses, or is not counted any more, under a driver that is there. */
  public boolean lost() {
    return state == State.GONE || (state == State.DOWN && !OF_THE_DRIVER.contains(reason));
  }

  public Subject subject() {
    return new Subject.Gpu(uuid);
  }

  /** As people call it: {@code GPU 3}. */
  public String text() {
    return "GPU " + index;
  }
}
