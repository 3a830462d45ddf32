package io.lapwing.agent.config;

/** How much is told of each Lustre target. */
public enum LustreTargets {
  /** What alerts need; the rest is summed up by file system. */
  SUMMARY("summary"),
  /** Everything. */
  FULL("full");

  private final String word;

  LustreTargets(String word) {
    this.word = word;
  }

  /** The word in flags and files. */
  @Override
  public String toString() {
    return word;
  }
}
