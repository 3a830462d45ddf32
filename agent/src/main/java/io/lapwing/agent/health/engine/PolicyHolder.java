package io.lapwing.agent.health.engine;

import io.lapwing.agent.health.Disposition;
import io.lapwing.agent.health.Policy;

/**
 * The policy that holds. It may be changed by anybody; one judgement sees the same from its
 * beginning to its end.
 */
public final class PolicyHolder {

  private volatile Policy next;
  private volatile Policy now;

  public PolicyHolder(Policy policy) {
    this.next = policy;
    this.now = policy;
  }

  /** From the next judgement on. */
  public void change(Policy policy) {
    next = policy;
  }

  /** A judgement begins. */
  void judge() {
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
