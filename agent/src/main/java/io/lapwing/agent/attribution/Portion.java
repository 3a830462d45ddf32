package io.lapwing.agent.attribution;

/** The portions of step time, as recorded by the loop. */
enum Portion {
  INPUT("waiting for data"),
  COMPUTE("computing"),
  COMMUNICATION("waiting for other ranks"),
  CHECKPOINT("saving"),
  /** Time in none of the other portions. */
  REST("time not recorded by the loop");

  private final String words;

  Portion(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
