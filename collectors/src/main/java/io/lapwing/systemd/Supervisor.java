package io.lapwing.systemd;

/** The service manager that started this process and monitors it. */
@FunctionalInterface
public interface Supervisor {

  /** No service manager. */
  Supervisor NONE = state -> false;

  /**
   * Sends lines of {@code NAME=value}, as in sd_notify(3); never blocks. May be retried after
   * false.
   */
  boolean send(String state);
}
