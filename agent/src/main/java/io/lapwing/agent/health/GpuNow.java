package io.lapwing.agent.health;

/**
 * One GPU at one moment.
 *
 * @param index NVML's; the last one it had
 * @param pci {@code 0000:53:00}; empty where unknown
 * @param reason why it does not answer, in a word such as {@code gpu_is_lost}; empty where it does
 * @param values what holds of it now; empty while it does not answer
 */
public record GpuNow(
    String uuid, int index, String pci, State state, String reason, Values values) {

  /** One that gives no reason. */
  public GpuNow(String uuid, int index, String pci, State state, Values values) {
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

  public Subject subject() {
    return new Subject.Gpu(uuid);
  }

  /** As people call it: {@code GPU 3}. */
  public String text() {
    return "GPU " + index;
  }
}
