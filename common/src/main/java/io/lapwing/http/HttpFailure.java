package io.lapwing.http;

import java.io.IOException;

/** Why a request got no usable response. */
public final class HttpFailure extends IOException {

  public static final String UNREACHABLE = "unreachable";
  public static final String UNTRUSTED = "untrusted";
  public static final String TIMEOUT = "timeout";
  public static final String MALFORMED = "malformed";
  public static final String TRUNCATED = "truncated";
  public static final String TOO_LARGE = "too_large";
  public static final String IO = "io";

  private static final long serialVersionUID = 1L;

  private final String reason;

  public HttpFailure(String reason) {
    this(reason, reason);
  }

  /** With a reason, which may be a label value, and a message. */
  public HttpFailure(String reason, String message) {
    super(message);
    this.reason = reason;
  }

  static HttpFailure of(String reason, Exception cause) {
    HttpFailure failure = new HttpFailure(reason, String.valueOf(cause.getMessage()));
    failure.initCause(cause);
    return failure;
  }

  /** One of the constants, or a reason of the caller. */
  public String reason() {
    return reason;
  }
}
