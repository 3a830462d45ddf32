package io.lapwing.systemd;

/** The service manager that started this process and monitors it. */
@FunctionalInterface
public interface Supervisor {

  /** No service manager. */
  Supervisor NONE = state -> false;

  /**
   * Sends a notification; never blocks.
   *
   * @param state lines of {@code NAME=value}, as in sd_notify(3)
   * @return whether it was sent; if not, it may be retried later
   */
  boolean send(String state);
}
