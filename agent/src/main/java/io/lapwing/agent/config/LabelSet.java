package io.lapwing.agent.config;

/** The labels of GPU series. */
public enum LabelSet {
  /** All of dcgm-exporter's labels. */
  FULL("full"),
  /** Only those that identify a series; the others are on the info series. */
  LEAN("lean");

  private final String word;

  LabelSet(String word) {
    this.word = word;
  }

  /** The value in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
