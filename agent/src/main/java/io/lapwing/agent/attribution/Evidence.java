package io.lapwing.agent.attribution;

/**
 * Something that the node tells by other means than the loop.
 *
 * @param text a clause: {@code GPU 3 runs at 1200 MHz where its siblings run at 1980 MHz}
 */
record Evidence(Kind kind, String text) {

  /** What it is a sign of. */
  enum Kind {
    /** A file system answers slowly or not at all. */
    STORAGE,
    /** Much was written to a file system. */
    WRITES,
    /** Tasks waited for processors. */
    PROCESSORS,
    /** Tasks waited for memory. */
    MEMORY,
    /** Tasks waited for storage. */
    DISKS,
    /**
     * The GPU's SMs stood idle. Waiting within NCCL keeps them active, so that they are idle while
     * the loop waits for data or saves, and not while it waits for other ranks.
     */
    IDLE_GPU,
    /** The network lost or repeated packets. */
    NETWORK,
    /** The GPU is held back or has errors. */
    GPU
  }
}
