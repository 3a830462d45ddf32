package io.lapwing.agent.config;

/** The metrics of each Lustre target. */
public enum LustreTargets {
  /** Those that alerts need; the others are aggregated by file system. */
  SUMMARY("summary"),
  /** All. */
  FULL("full");

  private final String word;

  LustreTargets(String word) {
    this.word = word;
  }

  /** The value in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
