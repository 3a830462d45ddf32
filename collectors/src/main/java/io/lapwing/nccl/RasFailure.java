package io.lapwing.nccl;

/** Why a RAS service gave no answer that can be used. */
final class RasFailure extends Exception {

  private static final long serialVersionUID = 1L;

  /** Nobody listens there: no job runs, or its RAS is switched off. No error. */
  static final String REFUSED = "refused";

  static final String UNRESOLVED = "unresolved";
  static final String TIMED_OUT = "timed_out";
  static final String CUT_OFF = "cut_off";
  static final String TOO_LARGE = "too_large";
  static final String MALFORMED = "malformed";
  static final String PROTOCOL = "protocol";
  static final String IO = "io";

  private final String reason;

  /**
   * A failure.
   *
   * @param reason one of the words above
   * @param why for the log, without any text of the reply
   */
  RasFailure(String reason, String why) {
    super(why);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
