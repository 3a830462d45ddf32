package io.lapwing.agent.names;

/** Whose label of the host an expression names: that of the series that it reads. */
enum Host {
  /** It reads no series. */
  NONE,
  OF_DCGM,
  OF_OTHERS,
  /** It reads both, or series of which the file does not say what they are. */
  DOUBTFUL;

  Host and(Host other) {
    if (this == NONE || this == other) {
      return other;
    }
    return other == NONE ? this : DOUBTFUL;
  }
}
