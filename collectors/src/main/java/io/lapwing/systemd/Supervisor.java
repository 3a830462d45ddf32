package io.lapwing.systemd;

/** Who started this process and wants to know how it does. */
@FunctionalInterface
public interface Supervisor {

  /** Where nobody asks. */
  Supervisor NONE = state -> false;

  /**
   * Tells it something; never waits.
   *
   * @param state lines of {@code NAME=value}, as in sd_notify(3)
   * @return whether it was handed over; where not, saying it again later may help
   */
  boolean tell(String state);
}
