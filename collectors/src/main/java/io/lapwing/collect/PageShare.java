package io.lapwing.collect;

import io.lapwing.metric.LabelWord;

/**
 * Whose series a source has. A page that is too large leaves out sources of the last constants
 * first, and never one of the node.
 */
public enum PageShare implements LabelWord {
  /** GPUs, EFA, Lustre, the host, and counts of what was found: bounded by the hardware. */
  NODE,
  JOBS,
  TRAINING,
  NCCL,
  INFERENCE,
  /** Ranks of which the kernel does not confirm who they are. */
  UNVERIFIED_TRAINING
}
