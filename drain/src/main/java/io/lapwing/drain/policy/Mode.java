package io.lapwing.drain.policy;

/** How far the controller goes with an action. */
public enum Mode {
  /** Writes down who asks for it. */
  OBSERVE,
  /** Decides, and writes down what it would do. */
  DRY_RUN,
  /** Does it. */
  ACT
}
