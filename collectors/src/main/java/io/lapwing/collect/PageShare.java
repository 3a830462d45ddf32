package io.lapwing.collect;

import io.lapwing.metric.LabelWord;

/**
 * The kind of series of a source. A scrape response that is too large omits sources of the last
 * constants first, and never one of the node.
 */
public enum PageShare implements LabelWord {
  /** GPUs, EFA, Lustre, the host, and counts of what was found: bounded by the hardware. */
  NODE,
  JOBS,
  TRAINING,
  NCCL,
  INFERENCE,
  /** Ranks that are not verified. */
  UNVERIFIED_TRAINING
}
