package io.lapwing.inference;

import java.io.IOException;

/** A scrape failed. */
final class PageFailure extends IOException {

  private static final long serialVersionUID = 1;

  private final String reason;

  /**
   * With one of {@code unreachable}, {@code timeout}, {@code status}, {@code malformed}, {@code
   * truncated}, {@code io}, {@code too_large}, {@code no_engine}.
   */
  PageFailure(String reason) {
    super(reason);
    this.reason = reason;
  }

  String reason() {
    return reason;
  }
}
