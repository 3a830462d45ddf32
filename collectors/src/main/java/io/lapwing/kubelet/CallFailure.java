package io.lapwing.kubelet;

import java.io.IOException;

/** Why a call of the kubelet failed: the reason of a failed reading. */
final class CallFailure extends IOException {

  static final String TIMED_OUT = "timed_out";
  static final String CLOSED = "closed";
  static final String MALFORMED = "malformed";
  static final String TOO_LARGE = "too_large";
  static final String TOO_MANY = "too_many";

  private static final long serialVersionUID = 1;

  private final String reason;

  CallFailure(String reason) {
    super(reason);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
