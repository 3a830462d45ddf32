package io.lapwing.linux;

import java.util.OptionalLong;

/** Tracks the sequences of /dev/kmsg: which records are new, and how many are missing. */
final class KmsgSequences {

  /** The highest sequence handled; empty before the first. */
  private OptionalLong passed;

  private OptionalLong last = OptionalLong.empty();

  private boolean ofOneBoot;

  /** Records up to {@code after} were handled before. */
  KmsgSequences(OptionalLong after) {
    this.passed = after;
  }

  /**
   * The log is read from its start again. {@code ofOneBoot}: so is a log whose sequence decreases,
   * as a program that copies /dev/kmsg into a FIFO starts over when it is restarted.
   */
  void reopened(boolean ofOneBoot) {
    this.ofOneBoot = ofOneBoot;
    last = OptionalLong.empty();
  }

  /** Another log with its own sequences has replaced it. */
  void reset() {
    passed = OptionalLong.empty();
    last = OptionalLong.empty();
  }

  OptionalLong passed() {
    return passed;
  }

  /** Whether a record is new; in a file, a decreasing sequence starts another boot. */
  boolean pass(long sequence) {
    if (last.isPresent() && sequence < last.getAsLong() && !ofOneBoot) {
      reset();
    }
    last = OptionalLong.of(sequence);
    boolean fresh = passed.isEmpty() || sequence > passed.getAsLong();
    if (fresh) {
      passed = last;
    }
    return fresh;
  }

  /** Records missing before this one; to be called before {@link #pass}. */
  long missingBefore(long sequence) {
    boolean back = last.isPresent() && sequence < last.getAsLong();
    return back || passed.isEmpty() ? 0 : Math.max(0, sequence - passed.getAsLong() - 1);
  }
}
