package io.lapwing.agent.attribution;

/** What the time of a step is made of, as the loop tells it. */
enum Portion {
  INPUT("waiting for data"),
  COMPUTE("computing"),
  COMMUNICATION("waiting for other ranks"),
  CHECKPOINT("saving"),
  /** What is in none of the others. */
  REST("what the loop does not name");

  private final String words;

  Portion(String words) {
    this.words = words;
  }

  String words() {
    return words;
  }
}
