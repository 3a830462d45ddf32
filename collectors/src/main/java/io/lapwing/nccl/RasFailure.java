package io.lapwing.nccl;

/** A RAS service gave no usable reply. */
final class RasFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /** No listener: no job runs, or RAS is disabled. Not an error. */
  static final String REFUSED = "refused";

  static final String UNRESOLVED = "unresolved";
  static final String TIMED_OUT = "timed_out";
  static final String CUT_OFF = "cut_off";
  static final String TOO_LARGE = "too_large";
  static final String MALFORMED = "malformed";
  static final String PROTOCOL = "protocol";
  static final String IO = "io";

  private final String reason;

  /** A reason for a label, and why for the log, without text of the reply. */
  RasFailure(String reason, String why) {
    super(why);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
