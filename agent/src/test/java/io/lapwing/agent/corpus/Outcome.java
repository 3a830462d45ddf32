package io.lapwing.agent.corpus;

/** How a judgement compares with its label, worst first. */
enum Outcome {
  /** Judged better than it is: a node that needs an action does not get it, or gets it later. */
  KEPT("bad node kept"),
  /** Judged worse than it is: work is stopped, or a node is taken, without need. */
  TAKEN("healthy node taken"),
  WRONG_CAUSE("wrong cause"),
  RIGHT("right");

  private final String text;

  Outcome(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
