package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Policy;

/** The policy in force. Any thread may change it; one evaluation uses the same throughout. */
public final class PolicyHolder {

  private volatile Policy next;
  private volatile Policy now;

  public PolicyHolder(Policy policy) {
    this.next = policy;
    this.now = policy;
  }

  /** Takes effect at the next evaluation. */
  public void change(Policy policy) {
    next = policy;
  }

  void startEvaluation() {
    now = next;
  }

  Policy now() {
    return now;
  }

  /** What an XID means. */
  public Disposition xid(int number) {
    return now.xid(number);
  }
}
