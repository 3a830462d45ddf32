package io.lapwing.agent.attribution;

import io.lapwing.metric.LabelWord;

/** The causes of lost step time. */
public enum Cause implements LabelWord {
  /** The loop waited for its data. */
  INPUT("its input"),
  /** The loop waited for other ranks while the network lost or retransmitted packets. */
  NETWORK("the network"),
  /** The GPU was slower than its siblings. */
  GPU("its GPU"),
  /** The loop was blocked by a checkpoint. */
  CHECKPOINT("checkpoints"),
  /** CPU, memory or storage pressure on the node. */
  HOST("the host"),
  /** No evidence besides the timing of the loop. */
  UNKNOWN("an unknown cause");

  private final String words;

  Cause(String words) {
    this.words = words;
  }

  /** The words after "lost to" in a sentence about the rank itself. */
  public String words() {
    return words;
  }
}
