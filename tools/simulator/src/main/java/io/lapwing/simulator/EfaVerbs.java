package io.lapwing.simulator;

/** How far the hardware goes with one-sided operations. */
public enum EfaVerbs {
  /** Two-sided messages only. */
  SEND,

  /** Messages, and reads of a peer's memory. */
  READ,

  /** Also writes into a peer's memory, which then carry nearly all of a job's traffic. */
  WRITE
}
