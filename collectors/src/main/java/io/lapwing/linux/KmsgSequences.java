package io.lapwing.linux;

import java.util.OptionalLong;

/** How far the records of /dev/kmsg are read: which are new, and how many are missing. */
final class KmsgSequences {

  /** The highest one dealt with; empty before the first. */
  private OptionalLong passed;

  private OptionalLong last = OptionalLong.empty();

  /**
   * A place to go on from.
   *
   * @param after records up to this one were dealt with before
   */
  KmsgSequences(OptionalLong after) {
    this.passed = after;
  }

  /** The log is read from its beginning again. */
  void reopened() {
    last = OptionalLong.empty();
  }

  /** Another log has taken its place, with sequences of its own. */
  void anew() {
    passed = OptionalLong.empty();
    last = OptionalLong.empty();
  }

  OptionalLong passed() {
    return passed;
  }

  /**
   * Takes note of a record; whether it is new. A sequence that goes back within one log is the
   * first of another boot, which a recorded or simulated log may have.
   */
  boolean pass(long sequence) {
    if (last.isPresent() && sequence < last.getAsLong()) {
      anew();
    }
    last = OptionalLong.of(sequence);
    boolean fresh = passed.isEmpty() || sequence > passed.getAsLong();
    if (fresh) {
      passed = last;
    }
    return fresh;
  }

  /** How many records are missing before this one; asked before it is passed. */
  long missingBefore(long sequence) {
    boolean back = last.isPresent() && sequence < last.getAsLong();
    return back || passed.isEmpty() ? 0 : Math.max(0, sequence - passed.getAsLong() - 1);
  }
}
