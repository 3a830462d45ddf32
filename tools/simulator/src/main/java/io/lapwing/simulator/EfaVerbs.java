package io.lapwing.simulator;

/** One-sided operations of the hardware. */
public enum EfaVerbs {
  /** Two-sided messages only. */
  SEND,

  /** Messages and RDMA reads. */
  READ,

  /** Also RDMA writes, which then carry nearly all traffic of a job. */
  WRITE
}
