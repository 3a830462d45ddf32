package io.lapwing.systemd;

/** The service manager that started this process and monitors it. */
@FunctionalInterface
public interface Supervisor {

  Supervisor NONE = state -> false;

  /** Sends lines {@code NAME=value}, never blocks; after false it may be retried. */
  boolean send(String state);
}
