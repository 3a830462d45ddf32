package io.lapwing.agent.metrics;

import java.time.Instant;

/** How reading the configuration went last. Thread-safe. */
public final class ReloadReport {

  private volatile State state;

  /**
   * @param good whether the last attempt succeeded
   * @param last when one succeeded
   */
  record State(boolean good, Instant last) {}

  /** The configuration that the agent started with was read then. */
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
