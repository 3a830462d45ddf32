package io.lapwing.agent.metrics;

import java.time.Instant;

/** The result of the last configuration reload. Thread-safe. */
public final class ReloadReport {

  private volatile State state;

  /**
   * @param good whether the last attempt succeeded
   * @param last time of the last success
   */
  record State(boolean good, Instant last) {}

  /** Counts the start as a successful load. */
  public ReloadReport(Instant started) {
    this.state = new State(true, started);
  }

  public synchronized void succeeded(Instant now) {
    state = new State(true, now);
  }

  public synchronized void failed() {
    state = new State(false, state.last());
  }

  State state() {
    return state;
  }
}
