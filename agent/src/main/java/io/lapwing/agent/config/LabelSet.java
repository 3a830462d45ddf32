package io.lapwing.agent.config;

/** How many labels GPU series carry. */
public enum LabelSet {
  /** All that dcgm-exporter puts on every series. */
  FULL("full"),
  /** Only what tells series apart; the rest is on the info series. */
  LEAN("lean");

  private final String word;

  LabelSet(String word) {
    this.word = word;
  }

  /** The word in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
