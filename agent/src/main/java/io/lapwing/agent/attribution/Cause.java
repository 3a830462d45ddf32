package io.lapwing.agent.attribution;

import java.util.Locale;

/** What the time of a step is lost to. */
public enum Cause {
  /** The loop waited for its data. */
  INPUT("its input"),
  /** The loop waited for other ranks, over a network that loses or repeats. */
  NETWORK("the network"),
  /** The GPU computed more slowly than others do. */
  GPU("its GPU"),
  /** The loop stood still while it saved. */
  CHECKPOINT("checkpoints"),
  /** Processors, memory or storage of the node were not enough. */
  HOST("the host"),
  /** There are not two independent signs for any of the others. */
  UNKNOWN("a cause that is not known");

  private final String words;

  Cause(String words) {
    this.words = words;
  }

  /** As it stands on the page. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As it stands in a sentence, behind "lost to". */
  public String words() {
    return words;
  }
}
