package io.lapwing.agent.judge;

import io.lapwing.agent.health.Call;
import io.lapwing.agent.health.Policy;

/**
 * The policy that holds. It may be changed by anybody; one judgement sees the same from its
 * beginning to its end.
 */
public final class PolicyInForce {

  private volatile Policy next;
  private volatile Policy now;

  public PolicyInForce(Policy policy) {
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
  public Call xid(int number) {
    return now.xid(number);
  }
}
