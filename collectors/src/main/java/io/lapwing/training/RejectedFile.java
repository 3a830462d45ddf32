package io.lapwing.training;

/** A file that is not read, or not any more. Thrown often, so without a trace. */
final class RejectedFile extends Exception {

  private static final long serialVersionUID = 1L;

  private final Rejection why;

  RejectedFile(Rejection why) {
    super(why.reason(), null, false, false);
    this.why = why;
  }

  Rejection why() {
    return why;
  }
}
