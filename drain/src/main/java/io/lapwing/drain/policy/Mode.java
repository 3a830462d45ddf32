package io.lapwing.drain.policy;

/** How far the controller goes with an action. */
public enum Mode {
  /** Records who requests it. */
  OBSERVE,
  /** Decides, and records what it would do. */
  DRY_RUN,
  /** Does it. */
  ACT
}
